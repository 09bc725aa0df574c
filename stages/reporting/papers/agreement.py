"""How many of a paper's differences have the same sign in the study."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from stages.reporting.papers.comparison import Beside, PaperLine, SideBySide


class Difference(NamedTuple):
    """One difference that a paper prints, where it stands, and what it is here."""

    table: str
    line: PaperLine
    column: str
    comparison: SideBySide


class Agreement(NamedTuple):
    """Differences of one paper in measures of which one way is better; one that stands in several tables counts once.

    printed: all that the paper has but for those of 0. compared: those with a difference of ours. disagreeing: those of
    them with the other sign; the rest agrees.
    """

    paper: str
    printed: int
    compared: int
    disagreeing: tuple[Difference, ...]


def agreement(tables: Sequence[Beside]) -> list[Agreement]:
    """One entry a paper, in the order of `tables`."""
    return [_of_paper(paper, tables) for paper in dict.fromkeys(table.paper for table in tables)]


def _of_paper(paper: str, tables: Sequence[Beside]) -> Agreement:
    found: dict[tuple[str, str | None, str, Decimal], Difference] = {}
    for each in tables:
        if each.paper == paper:
            for line in each.lines:
                for column, comparison in line.comparisons.items():
                    if comparison.counterpart.better and comparison.paper_difference:
                        system = line.row.variant or line.row.heading
                        key = (system, line.base, comparison.counterpart.measure, comparison.paper_difference)
                        found.setdefault(key, Difference(each.table.number, line, column, comparison))
    compared = [difference for difference in found.values() if difference.comparison.agrees is not None]
    disagreeing = tuple(difference for difference in compared if not difference.comparison.agrees)
    return Agreement(paper, len(found), len(compared), disagreeing)
