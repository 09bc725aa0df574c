"""The tables of the docs: what there is and where it comes from, and which default is whose choice. Pure functions."""

import re
from collections.abc import Iterable, Sequence

from fairseq_plugins.declarations import CONFIDENCE, WRITTEN_FROM, Declared
from fairseq_plugins.listing.options import Choice

NONE = "–"
ASIDE = re.compile(r" \([^()]*(?:\d{4}|paper|code)[^()]*\)")
"""What a help text says in brackets of the sources, which have a column of their own."""
CITATION = re.compile(r"[A-Z]\w+(?: and [A-Z]\w+| et al\.)? \d{4}[a-z]?|dl4mt")
SYSTEMS_HEAD = ("family", "systems", "paper", "made of", "written from", "confidence")
CHOICES_HEAD = ("option: default (other values)", "what it is", "what the sources say", "default from")


def systems_table(systems: Iterable[Declared]) -> str:
    """What there is: a row a family, in the order in which families first occur in ``systems``.

    "Made of" names terms, and the files of mechanisms; what has neither is in its model's file.
    """
    families: dict[str, list[Declared]] = {}
    for system in systems:
        families.setdefault(system.family or NONE, []).append(system)
    return _table(SYSTEMS_HEAD, [_family(name, members) for name, members in families.items()])


def choices_table(choices: Sequence[Choice]) -> str:
    """Which default is whose choice: a row an option; what several classes say of one option stands in one row."""
    rows: dict[str, list[Choice]] = {}
    for choice in choices:
        rows.setdefault(choice.option, []).append(choice)
    return _table(CHOICES_HEAD, [_option(same) for same in rows.values()])


def _family(name: str, members: Sequence[Declared]) -> tuple[str, ...]:
    terms = [term.name for system in members for term in system.terms]
    files = [f"{'/'.join(module.split('.')[1:])}.py" for system in members for module in system.mechanisms]
    own = [f"models/{system.name}.py" for system in members if not system.terms and not system.mechanisms]
    return (
        _plain(name),
        _codes(system.name for system in members),
        _plain(", ".join(_once(paper for system in members for paper in CITATION.findall(system.paper)))) or NONE,
        _codes([*terms, *files, *own]),
        *(_plain("; ".join(_said(members, key))) or NONE for key in (WRITTEN_FROM, CONFIDENCE)),
    )


def _said(members: Iterable[Declared], key: str) -> list[str]:
    return _once(text for one in members for text in one.says(key))


def _option(same: Sequence[Choice]) -> tuple[str, ...]:
    first = same[0]
    others = f" ({', '.join(map(_value, first.others))})" if first.others else ""
    return (
        f"`{first.option}`: {_plain(_value(first.default) + others)}",
        _plain("; ".join(_once(ASIDE.sub("", choice.help) for choice in same))),
        _plain("; ".join(_once(choice.sources for choice in same))),
        _plain("; ".join(_once(choice.whose for choice in same))),
    )


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in _once(names))


def _plain(text: str) -> str:
    """With everything escaped that Markdown would take for its own, but for what stands in backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_|~<\[])", r"\\\1", part) for part in parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
