"""The study's systems beside a table of a paper: value, difference to the baseline, and whether the signs agree."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from stages.reporting.marks import Marks, marks_of
from stages.reporting.metrics import Document
from stages.reporting.papers.paper_tables import NAMES, Counterpart, PaperRow, PaperTable, PrintedNumber, load_paper

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


class SideBySide(NamedTuple):
    """One system and one measure; None where there is no value or nothing to subtract from it.

    mark: significance of our difference. agrees: None where a difference is missing or 0.
    """

    counterpart: Counterpart
    ours: float | None
    paper_difference: Decimal | None
    our_difference: float | None
    mark: str
    agrees: bool | None


class PaperLine(NamedTuple):
    """A row of the paper. against: heading of the row that the paper's difference is to; base: the variant
    that ours is to; absent: why we have no values. figures and comparisons are by column."""

    row: PaperRow
    against: str | None
    base: str | None
    absent: str | None
    figures: dict[str, PrintedNumber]
    comparisons: dict[str, SideBySide]


class Beside(NamedTuple):
    """A table of a paper with the study's systems; name: that of its file, paper: authors and year."""

    name: str
    paper: str
    table: PaperTable
    lines: tuple[PaperLine, ...]


def corpus_summary(recipe: Mapping[str, Any]) -> CorpusSummary:
    """From the recipe in metrics.json."""
    data = recipe["data"]
    return CorpusSummary(
        corpus=data["corpus"],
        direction=recipe["direction"],
        train_pairs=data["sets"]["train"]["pairs"],
        tests=tuple(data["tests"]),
        embed_dim=recipe["model"]["embed_dim"],
        hidden_dim=recipe["model"]["hidden_dim"],
        unknown_words=recipe.get("unknown_words"),  # systems may differ in it
        shared_vocabulary=recipe.get("vocabulary", {}).get("joint", False),
    )


def paper_tables(document: Document) -> list[Beside]:
    """All tables of all papers beside the systems of `document`.

    Differences of ours are between means over the seeds.
    """
    significance = Significance(document["marks"]["baseline"], marks_of(document["marks"]))
    means = {variant: system["mean"] for variant, system in document["systems"].items()}
    papers = {name: load_paper(name) for name in NAMES}
    return [
        beside(name, paper.paper, table, means, significance)
        for name, paper in papers.items()
        for table in paper.tables
    ]


def beside(name: str, paper: str, table: PaperTable, means: Mapping[str, Any], significance: Significance) -> Beside:
    """One table; means: variant -> measures."""
    return Beside(name, paper, table, tuple(_line(row, table, means, significance) for row in table.rows))


def _line(row: PaperRow, table: PaperTable, means: Mapping[str, Any], significance: Significance) -> PaperLine:
    reference = table.reference(row)
    base = row.base or (reference.variant if reference else None)
    figures = table.figures(row)
    theirs = table.figures(reference) if reference else {}
    comparisons = {}
    for column in table.columns:
        counterpart = row.counterparts.get(column.label) or column.counterpart
        if counterpart:
            paper_difference = _paper_difference(figures[column.label], theirs.get(column.label))
            ours = value(means, row.variant, counterpart)
            our_difference = _difference(ours, value(means, base, counterpart))
            mark = significance.mark(row.variant, base, counterpart.measure)
            agrees = signs_agree(paper_difference, our_difference)
            comparisons[column.label] = SideBySide(counterpart, ours, paper_difference, our_difference, mark, agrees)
    against = reference.heading if reference else None
    return PaperLine(row, against, base, _absent(row, means), figures, comparisons)


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


def _paper_difference(figure: PrintedNumber, reference: PrintedNumber | None) -> Decimal | None:
    if figure.difference:
        return figure.number
    return _difference(figure.number, reference.number if reference else None)


def _difference(minuend: Number | None, subtrahend: Number | None) -> Number | None:
    return None if minuend is None or subtrahend is None else minuend - subtrahend


def _absent(row: PaperRow, means: Mapping[str, Any]) -> str | None:
    if row.variant is None:
        return NOT_RUN
    return None if row.variant in means else NOT_IN_STUDY
