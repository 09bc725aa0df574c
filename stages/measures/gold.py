"""Hand-made word alignments: sure and possible links (Och & Ney 2003)."""

import re
from typing import NamedTuple

Link = tuple[int, int]
"""(source word, target word), both 0-based."""

_LINK = re.compile(r"([0-9]+)([-?])([0-9]+)")


class Gold(NamedTuple):
    """Links of one sentence. `possible` contains `sure`, as the definition of AER demands (S is a subset of P)."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse(line: str) -> Gold:
    """Read `i-j` (sure) and `i?j` (possible only), space separated; an empty line is a sentence without links.

    A link given both ways is sure. Raises ValueError that names the first malformed link.
    """
    sure, possible = set(), set()
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise ValueError(f"'{text}' is not a link: write i-j (sure) or i?j (possible), counted from 0")
        link = (int(match[1]), int(match[3]))
        possible.add(link)
        if match[2] == "-":
            sure.add(link)
    return Gold(frozenset(sure), frozenset(possible))


def reverse(gold: Gold) -> Gold:
    """The same links seen from the other translation direction."""
    return Gold(frozenset((t, s) for s, t in gold.sure), frozenset((t, s) for s, t in gold.possible))


def check_bounds(gold: Gold, source_length: int, target_length: int) -> None:
    """Raise ValueError if a link points outside a sentence of that many source and target words."""
    for s, t in sorted(gold.possible):
        if s >= source_length or t >= target_length:
            raise ValueError(
                f"link {s}-{t} lies outside its sentence of {source_length} source and {target_length} target words"
            )
