"""Hand-made word alignments: sure and possible links (Och & Ney 2003)."""

from typing import NamedTuple

from stages.files import links
from stages.files.links import Link


class Gold(NamedTuple):
    """Links of one sentence. `possible` contains `sure`, as the definition of AER demands (S is a subset of P)."""

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse(line: str) -> Gold:
    """Read `i-j` (sure) and `i?j` (possible only), separated by blanks; an empty line is a sentence without links.

    A link given both ways is sure. Raises ValueError that names the first malformed link.
    """
    given = links.parse(line)
    return Gold(frozenset((i, j) for i, j, sure in given if sure), frozenset((i, j) for i, j, _ in given))


def reverse(gold: Gold) -> Gold:
    """The same links seen from the other translation direction."""
    return Gold(frozenset((t, s) for s, t in gold.sure), frozenset((t, s) for s, t in gold.possible))


def check_bounds(gold: Gold, source_length: int, target_length: int) -> None:
    """Raise ValueError if a link points outside a sentence of that many source and target words."""
    links.check_bounds(gold.possible, source_length, target_length)
