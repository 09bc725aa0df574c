"""`STUDY=` and `RELEASED=1` of make: which study params.yaml chooses, and what lies in dvc.lock for it."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.pipeline.choice import choosing, content_of, keys_by_hand, released_of, with_released, without_released
from stages.pipeline.dvc_processes import TEMPORARY, Tell, clear, require_none
from stages.pipeline.lock import RUNS, Busy, only_run
from stages.pipeline.released import in_git, smt_in_git
from stages.pipeline.study_lock import settle
from stages.settings.params import PARAMS, read, validate
from stages.settings.systems import Study
from stages.text.counted import counted


def add_study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--study", default="", help=f"a study of {PARAMS}, which chooses it from then on")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    parser.add_argument("--released", default="", help="1: what has results in reports/released is not trained")


def choose(study: str, released: str | None, say: Tell) -> tuple[str, dict[str, Any]]:
    """Have params.yaml choose this study, the same one if it is empty, with its systems trained or released; its text,
    and what that says. Whoever calls this holds the lock of all runs.

    released: "1", or empty to have the systems of a named study trained; None leaves those of the chosen study alone.

    Raises:
        InputError: there is no such study, there are no such results or dvc.lock cannot be read, and params.yaml is as
            it was.
    """
    if released not in (None, "", "1"):
        raise InputError(f"RELEASED is 1 or is left out (is {released!r})")
    read()  # says what is wrong with the file, and where
    text = PARAMS.read_bytes().decode()
    asked, content, sentences = _asked(text, study, released)
    if asked != text:
        require_none(clear(TEMPORARY, say))
    settle(content)
    if asked != text:
        with new_file(PARAMS) as handle:
            handle.write(asked)
    for sentence in sentences:
        say(f"{PARAMS}: {sentence}")
    return asked, content


def look_at(study: str, released: str | None, say: Tell) -> bool:
    """`choose` for a command that runs nothing: beside a run it changes nothing, and says so. Whether no run is there.

    Raises:
        InputError: as `choose`; or a run is at work, and another study is asked for.
    """
    try:
        with only_run(RUNS, say):
            choose(study, released, say)
    except Busy as busy:
        text = PARAMS.read_bytes().decode()
        if _asked(text, study, released)[0] != text:
            raise
        say(f"a run is at work in this folder ({busy.who}): this is how things stand now")
        return False
    return True


def _asked(text: str, study: str, released: str | None) -> tuple[str, dict[str, Any], list[str]]:
    """The text of params.yaml as it is to be, its content, and what is to be said of it."""
    content = content_of(text)
    before = content.get("study")
    as_it_is = not study or (released is None and study == before)
    asked = text if as_it_is and not released else without_released(text)
    asked = choosing(asked, study) if study else asked
    content = content_of(asked) if asked != text else content
    said = [f"chooses {study} now, in the place of {before}"] if study and before != study else []
    if released:
        found = _released(asked, content)
        block = content["studies"][content["study"]]
        asked = with_released(asked, found, smt_in_git(block))
        systems = [*block["systems"], *block["fine_tuned"], *block["decoded"]]
        left = [name for name in systems if name not in found and name not in _by_hand(asked, content)]
        if left:
            said.append(f"without {', '.join(left)}, which have no results in reports/released")
    if taken := released_of(asked):
        are, them = ("is", "it") if len(taken) == 1 else ("are", "them")
        from_git = f"{counted(len(taken), 'system')} {are} taken from reports/released and not trained (RELEASED=1)"
        said.append(f"{from_git}; `make repro STUDY={content['study']}` trains {them}")
    elif released_of(text) and content["study"] == before:
        said.append("systems are trained again: its lines of RELEASED=1 are gone")
    return asked, content_of(asked) if released else content, said


def _released(text: str, content: Mapping[str, Any]) -> dict[str, str | None]:
    studies = validate(content.get("studies"), dict[str, Study], "studies")
    chosen = validate({key: content[key] for key in Study.model_fields if key in content}, Study, "the study")
    name = chosen.study
    if name not in studies:
        raise InputError(f"{PARAMS}: RELEASED=1 is for a study below `studies`, which {name!r} is not")
    blocks = {one: block.model_dump() for one, block in studies.items()}
    found = in_git(blocks[name] | {"seeds": chosen.seeds})
    taken = {system: base for system, base in found.items() if system not in _by_hand(text, content)}
    if not taken:
        raise InputError(_why_none(blocks, name, chosen.seeds, _keys_by_hand(text) if found else []))
    return taken


def _why_none(blocks: Mapping[str, Any], name: str, seeds: Sequence[int], keys: Sequence[str]) -> str:
    """Why RELEASED=1 takes no system of the study `name`.

    seeds: of the top level. keys: those there by hand that have all systems with results; none if no system has any.
    """
    if keys:
        return (
            f"{PARAMS}: all systems of {name} with results in reports/released stand at the top level, in "
            f"{' and '.join(keys)}; take one off there, or leave out RELEASED=1"
        )
    there = [one for one, block in blocks.items() if in_git(block)]
    if name not in there:
        return f"reports/released has no results of {name}; it has those of: {', '.join(there) or 'none'}"
    lacking = [seed for seed in seeds if not in_git(blocks[name] | {"seeds": [seed]})]
    these = f"seeds: {seeds}" + (f" (none with {lacking})" if lacking else "")
    return f"{PARAMS}: reports/released has no system of {name} with all of {these}; change them at the top level"


def _by_hand(text: str, content: Mapping[str, Any]) -> set[str]:
    """Systems that lines at the top level, not the study, have trained."""
    return {system for key in _keys_by_hand(text) for system in content[key]}


def _keys_by_hand(text: str) -> list[str]:
    there = keys_by_hand(without_released(text))
    return [key for key in ("systems", "fine_tuned", "decoded") if key in there]
