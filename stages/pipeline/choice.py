"""The line of params.yaml that chooses the study, the lines that take its systems from reports/released, and keys that
win over the study.

Texts of that file in, texts out: every byte that is not of these lines stays as it is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAMLError
from ruamel.yaml.nodes import MappingNode

from stages.files.errors import InputError
from stages.files.strict_yaml import loader_of, parse
from stages.settings.names import PARAMS, shown
from stages.settings.unknown_study import no_study

LINE = re.compile(r"^<<: *\*([\w-]+)(?=[ \t\r]*(#.*)?$)", re.MULTILINE)
STUDIES = re.compile(r"^studies:.*?(?=^[^\s#]|\Z)", re.MULTILINE | re.DOTALL)
BEGIN = "# RELEASED=1 wrote these lines: nothing is trained; `make repro STUDY=…` without RELEASED takes them away"
END = "# end of RELEASED=1"
BLOCK = re.compile(rf"^{re.escape(BEGIN)}\n(.*?)^{re.escape(END)}\n", re.MULTILINE | re.DOTALL)
WIDTH = 120
MERGE = "tag:yaml.org,2002:merge"
BACK = f"`git checkout HEAD {PARAMS}`, which drops edits of it that are not committed"


def choosing(text: str, name: str) -> str:
    """This text of params.yaml with the study `name` chosen.

    Raises:
        InputError: there is no such study; or no line that chooses one, or another line that wins over it.
    """
    content = content_of(text)
    studies = content.get("studies")
    if not isinstance(studies, dict) or name not in studies:
        raise InputError(no_study(name, studies if isinstance(studies, dict) else ()))
    if content.get("study") == name:
        return text
    _line_of(text, name)
    block = STUDIES.search(text)
    anchor = block and re.search(rf"^ +{re.escape(name)}: *&([\w-]+)", block[0], re.MULTILINE)
    if not anchor and "study" in keys_by_hand(text):
        raise InputError(
            f"{PARAMS} was written anew, as `dvc exp run -S` does: the keys of one study stand at its top level, and "
            f"`&{name}`, which another is chosen by, is gone; go back with {BACK}"
        )
    if not anchor:
        raise InputError(f"{PARAMS}: studies.{name} has no name to choose it by; write `{name}: &{name}` there")
    chosen = LINE.sub(lambda match: f"<<: *{anchor[1]}", text)
    if content_of(chosen).get("study") != name:
        raise InputError(f"{PARAMS}: {_why_not(text, name, studies[name])}")
    return chosen


def _line_of(text: str, name: Any) -> re.Match[str]:
    """The line that chooses the study. Raises InputError: there is none; `name` is the study to write there."""
    lines = list(LINE.finditer(text))
    if len(lines) != 1:
        raise InputError(
            f"{PARAMS} has no line `<<: *…` at its top level, which chooses the study (`dvc exp run -S` leaves none); "
            f"write `<<: *{name}` in the place of the study's keys, or {BACK}"
        )
    return lines[0]


def _why_not(text: str, name: str, block: Any) -> str:
    """Why a line that chooses this block does not choose the study `name`."""
    if "study" in keys_by_hand(text):
        return f"`study` stands at the top level and wins over the one that `<<:` chooses; delete it, or {BACK}"
    return f"studies.{name}.study is {shown(block.get('study') if isinstance(block, dict) else block)}; write {name}"


def without_released(text: str) -> str:
    """This text without the lines that `with_released` wrote."""
    return BLOCK.sub("", text)


def released_of(text: str) -> list[str]:
    """The systems that the lines of `with_released` name; empty without such lines."""
    block = BLOCK.search(text)
    content = content_of(block[1]) if block else {}
    return [*content.get("released", {}), *content.get("released_smt", [])]


def with_released(text: str, released: Mapping[str, str | None], smt: Sequence[str]) -> str:
    """This text, without such lines yet, with lines below `<<:` that take these systems from reports/released and
    train none; keys that stand at the top level by hand stay, as `systems: [my_system]`.

    smt: those that are no neural networks and are taken too, unless `smt` or `released_smt` stands there by hand.

    Raises:
        InputError: no line chooses the study, or `released` stands there by hand.
    """
    lines = {
        "systems": "systems: []",
        "fine_tuned": "fine_tuned: {}",
        "decoded": "decoded: {}",
        "also_reverse": "also_reverse: []",
        "read_outs": "read_outs: []",
    }
    by_hand = keys_by_hand(text)
    if "released" in by_hand:
        raise InputError(f"{PARAMS}: released stands at the top level, where RELEASED=1 writes it; delete it there")
    if smt and by_hand.isdisjoint({"smt", "released_smt"}):
        lines |= {"smt": "smt: []", "released_smt": f"released_smt: [{', '.join(smt)}]"}
    kept = [line for key, line in lines.items() if key not in by_hand]
    block = "\n".join([BEGIN, *kept, *_wrapped(released), END])
    text = text if text.endswith("\n") else f"{text}\n"
    end = text.index("\n", _line_of(text, content_of(text).get("study")).end()) + 1
    return f"{text[:end]}{block}\n{text[end:]}"


def keys_by_hand(text: str) -> set[str]:
    """Keys at the top level that no merge brought there."""
    return {key.value for key, _ in loader_of(text).get_single_node().value}


def overridden(text: str) -> list[str]:
    """Keys at the top level that the mapping behind ``<<:`` has too, and does not decide therefore; in their order.

    Empty for a text that is no mapping, or no YAML: others say that better.
    """
    loader = loader_of(text)
    try:
        root = loader.get_single_node()
        if not isinstance(root, MappingNode):
            return []
        by_hand = [key.value for key, _ in root.value if key.tag != MERGE]
        root.value = [pair for pair in root.value if pair[0].tag == MERGE]
        chosen = loader.construct_document(root)
    except YAMLError:
        return []
    return [key for key in by_hand if key in chosen]


def warning(text: str) -> str:
    """A sentence about the keys of this text that win over the chosen study, but for those that `RELEASED=1` wrote and
    says itself; empty without any."""
    keys = overridden(without_released(text))
    if not keys:
        return ""
    verb = "stands" if len(keys) == 1 else "stand"
    return (
        f"{PARAMS}: {', '.join(keys)} {verb} at the top level and win{'s' * (len(keys) == 1)} over the study that "
        f"`<<:` chooses (`dvc exp run -S` writes such keys); to go back, delete them there, or {BACK}"
    )


def content_of(text: str) -> dict[str, Any]:
    """What the text says. Raises InputError if it is no mapping."""
    content = parse(text, PARAMS)
    if not isinstance(content, dict):
        raise InputError(f"{PARAMS} must be a mapping of settings")
    return content


def _wrapped(released: Mapping[str, str | None]) -> list[str]:
    lines, line = [], "released: {"
    for k, (name, base) in enumerate(released.items()):
        entry = f"{name}: {base or 'null'}" + ("}" if k == len(released) - 1 else ",")
        if len(line) + len(entry) + 1 > WIDTH:
            lines.append(line)
            line = "  "
        line += entry if line.endswith("{") or not line.strip() else f" {entry}"
    return [*lines, line]
