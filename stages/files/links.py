"""Links between the words of a sentence pair as text: `i-j` (sure) and `i?j` (possible), 0-based, source word first."""

import re
from collections.abc import Iterable
from typing import NamedTuple

BETWEEN = re.compile(r"[ \t]+")
_LINK = re.compile(r"([0-9]+)([-?])([0-9]+)")

Link = tuple[int, int]
"""(source word, target word), both 0-based."""


class MarkedLink(NamedTuple):
    """A link of source word `source` to target word `target`, both 0-based, as a person made it: sure or possible."""

    source: int
    target: int
    sure: bool


def parse(line: str) -> list[MarkedLink]:
    """The links of a line, separated by blanks, as they are written; an empty line is a sentence without links.

    Raises ValueError that names the first malformed link.
    """
    return [_parse(text) for text in BETWEEN.split(line) if text]


def _parse(text: str) -> MarkedLink:
    match = _LINK.fullmatch(text)
    if match is None:
        raise ValueError(
            f"'{text}' is not a link: write i-j (sure) or i?j (possible), counted from 0, source word first"
        )
    return MarkedLink(int(match[1]), int(match[3]), match[2] == "-")


def write(links: Iterable[MarkedLink]) -> str:
    """The line of `links`, sorted by source word, then target word; a link given as both kinds is sure."""
    kinds = {(i, j): sure for i, j, sure in sorted(links)}  # possible sorts before sure
    return " ".join(f"{i}-{j}" if sure else f"{i}?{j}" for (i, j), sure in kinds.items())


def check_bounds(links: Iterable[Link], source_length: int, target_length: int) -> None:
    """Raise ValueError that names the first link (source word, target word) outside a sentence of so many words."""
    for i, j in sorted(links):
        if not (0 <= i < source_length and 0 <= j < target_length):
            raise ValueError(
                f"link {i}-{j} lies outside its sentence of {source_length} source and {target_length} target words"
            )
