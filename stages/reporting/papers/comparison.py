"""The study's systems and a table of a paper: value, difference to the baseline, and whether the signs agree."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from stages.reporting.marks import Marks, marks_of
from stages.reporting.metrics import Document
from stages.reporting.papers.paper_tables import NAMES, Counterpart, PaperRow, PaperTable, PrintedNumber, load_paper
from stages.reporting.recipe import short

DIGITS = 2
"""Of ours; a difference that is 0 with so many digits has no sign."""

NOT_RUN = "not run"
NOT_IN_STUDY = "not in this study"

Number = TypeVar("Number", Decimal, float)


class CorpusSummary(NamedTuple):
    """What the study's numbers come from; direction: `zh-en`; train_pairs: sentence pairs; tests: names of test sets.

    embed_dim, hidden_dim: sizes of all systems that do not set their own. shared_vocabulary: of both languages.
    """

    corpus: str
    direction: str
    train_pairs: int
    tests: tuple[str, ...]
    embed_dim: int
    hidden_dim: int
    unknown_words: str | None
    shared_vocabulary: bool = False


class Significance(NamedTuple):
    """Marks of significance: they speak of differences to the baseline, which is a variant."""

    baseline: str
    marks: Marks

    def mark(self, variant: str | None, base: str | None, measure: str) -> str:
        """Of the difference of `variant` to `base`."""
        return self.marks.get((variant, measure), "") if variant and base == self.baseline else ""


class ComparedValue(NamedTuple):
    """One system and one measure; None where there is no value or nothing to subtract from it.

    mark: significance of our difference. agrees: None where a difference is missing or 0.
    """

    counterpart: Counterpart
    ours: float | None
    paper_difference: Decimal | None
    our_difference: float | None
    mark: str
    agrees: bool | None


class ComparedRow(NamedTuple):
    """A row of the paper. against: heading of the row that the paper's difference is to; base: the variant
    that ours is to; absent: why we have no values. figures and comparisons are by column."""

    row: PaperRow
    against: str | None
    base: str | None
    absent: str | None
    figures: dict[str, PrintedNumber]
    comparisons: dict[str, ComparedValue]


class ComparedTable(NamedTuple):
    """A table of a paper with the study's systems; name: that of its file, paper: authors and year."""

    name: str
    paper: str
    table: PaperTable
    lines: tuple[ComparedRow, ...]


def corpus_summary(recipe: Mapping[str, Any]) -> CorpusSummary:
    """From the recipe in metrics.json."""
    data = recipe["data"]
    unknown = "".join(short(recipe, ["unknown_words"]))  # systems may differ in it
    return CorpusSummary(
        corpus=data["corpus"],
        direction=recipe["direction"],
        train_pairs=data["sets"]["train"]["pairs"],
        tests=tuple(data["tests"]),
        embed_dim=recipe["model"]["embed_dim"],
        hidden_dim=recipe["model"]["hidden_dim"],
        unknown_words=unknown.partition(": ")[2] or None,
        shared_vocabulary=recipe.get("vocabulary", {}).get("joint", False),
    )


def paper_tables(document: Document) -> list[ComparedTable]:
    """All tables of all papers beside the systems of `document`.

    Differences of ours are between means over the seeds.
    """
    significance = Significance(document["marks"]["baseline"], marks_of(document["marks"]))
    means = {variant: system["mean"] for variant, system in document["systems"].items()}
    papers = {name: load_paper(name) for name in NAMES}
    return [
        compare_table(name, paper.paper, table, means, significance)
        for name, paper in papers.items()
        for table in paper.tables
    ]


def compare_table(
    name: str, paper: str, table: PaperTable, means: Mapping[str, Any], significance: Significance
) -> ComparedTable:
    """One table; means: variant -> measures."""
    return ComparedTable(name, paper, table, tuple(_line(row, table, means, significance) for row in table.rows))


def _line(row: PaperRow, table: PaperTable, means: Mapping[str, Any], significance: Significance) -> ComparedRow:
    row, reference = row.among(means), table.reference(row)
    base = row.base or (reference.variant if reference else None)
    figures = table.figures(row)
    reference_figures = table.figures(reference) if reference else {}
    comparisons = {}
    for column in table.columns:
        counterpart = row.counterparts.get(column.label) or column.counterpart
        if counterpart:
            figure, theirs = figures[column.label], reference_figures.get(column.label)
            paper_difference = (
                figure.number if figure.difference else _difference(figure.number, theirs.number if theirs else None)
            )
            ours = value(means, row.variant, counterpart)
            our_difference = _difference(ours, value(means, base, counterpart))
            mark = significance.mark(row.variant, base, counterpart.measure)
            agrees = signs_agree(paper_difference, our_difference)
            comparisons[column.label] = ComparedValue(counterpart, ours, paper_difference, our_difference, mark, agrees)
    against = reference.heading if reference else None
    absent = NOT_RUN if row.variant is None else None if row.variant in means else NOT_IN_STUDY
    return ComparedRow(row, against, base, absent, figures, comparisons)


def value(means: Mapping[str, Any], variant: str | None, counterpart: Counterpart) -> float | None:
    """In the paper's unit; None where the variant, the measure or its value is missing."""
    node = None if variant is None else means.get(variant)
    for key in counterpart.measure.split("."):
        node = node.get(key) if isinstance(node, Mapping) else None
    return None if node is None else node / counterpart.unit


def signs_agree(paper: Decimal | None, ours: float | None) -> bool | None:
    """None where a difference is missing, or 0 as written."""
    if paper is None or ours is None or paper == 0 or round(ours, DIGITS) == 0:
        return None
    return (paper > 0) == (ours > 0)


def _difference(minuend: Number | None, subtrahend: Number | None) -> Number | None:
    return None if minuend is None or subtrahend is None else minuend - subtrahend


class Difference(NamedTuple):
    """One difference that a paper prints, where it stands, and what it is here."""

    table: str
    line: ComparedRow
    column: str
    comparison: ComparedValue


class Agreement(NamedTuple):
    """Differences of one paper in measures of which one way is better; one that stands in several tables counts once.

    printed: all that the paper has but for those of 0. compared: those with a difference of ours. disagreeing: those of
    them with the other sign; the rest agrees.
    """

    paper: str
    printed: int
    compared: int
    disagreeing: tuple[Difference, ...]


def agreement(tables: Sequence[ComparedTable]) -> list[Agreement]:
    """One entry a paper, in the order of `tables`."""
    return [_of_paper(paper, tables) for paper in dict.fromkeys(table.paper for table in tables)]


def _of_paper(paper: str, tables: Sequence[ComparedTable]) -> Agreement:
    found: dict[tuple[str, str | None, str, Decimal], Difference] = {}
    lines = ((each, line) for each in tables if each.paper == paper for line in each.lines)
    for each, line in lines:
        for column, comparison in line.comparisons.items():
            if comparison.counterpart.better and comparison.paper_difference:
                system = line.row.variant or line.row.heading
                key = (system, line.base, comparison.counterpart.measure, comparison.paper_difference)
                found.setdefault(key, Difference(each.table.number, line, column, comparison))
    compared = [difference for difference in found.values() if difference.comparison.agrees is not None]
    disagreeing = tuple(difference for difference in compared if not difference.comparison.agrees)
    return Agreement(paper, len(found), len(compared), disagreeing)
