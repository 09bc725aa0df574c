"""The papers' tables, one that is made up, and the numbers of a study beside it."""

from stages.reporting.papers.comparison import (
    ComparedRow,
    ComparedTable,
    CorpusSummary,
    Significance,
    compare_table,
)
from stages.reporting.papers.paper_tables import NAMES, PaperTable, load_paper

PAPERS = {name: load_paper(name) for name in NAMES}


TABLES = {(name, table.number): table for name, paper in PAPERS.items() for table in paper.tables}


FACTS = CorpusSummary("demo", "zh-en", 5996, ("test_a", "test_b"), 96, 112, "replaced by <magic>")


TABLE = {
    "number": "Table 9",
    "caption": "a made-up table",
    "pair": "Zh-En",
    "data": "10 pairs",
    "sizes": "hidden 2",
    "baseline": "base*",
    "columns": [
        {"label": "one"},
        {"label": "two"},
        {"label": "Avg", "mean_of": ["one", "two"], "counterpart": {"measure": "tests.average.bleu", "better": "high"}},
        {"label": "AER", "counterpart": {"measure": "aer", "better": "low"}},
    ],
    "rows": [
        {"label": "base*", "variant": "rnnsearch_star", "figures": "10.00 20.00 15.00 40.0"},
        {"label": "better", "variant": "sa_nmt", "figures": "11.00 21.00‡ 16.00‡ 39.5"},
        {"label": "same", "variant": "ta_nmt", "figures": "10.00 20.00 15.00 –"},
        {"label": "Moses", "not_run": "phrases", "figures": "12.00 22.00 17.00 –"},
    ],
}


def made_up(**changes: object) -> PaperTable:
    return PaperTable.model_validate(TABLE | changes)


def measures(bleu: float | None, aer: float | None) -> dict:
    return {"bleu": 99.0, "aer": aer, "tests": {"test": {"bleu": 99.0}, "average": {"bleu": bleu}}}


def compared(means: dict, marks: dict | None = None, table: PaperTable | None = None) -> ComparedTable:
    return compare_table(
        "made-up", "Nobody 2000", table or made_up(), means, Significance("rnnsearch_star", marks or {})
    )


def line_of(each: ComparedTable, heading: str) -> ComparedRow:
    return next(line for line in each.lines if line.row.heading == heading)


def document(systems: dict[str, dict]) -> dict:
    marks = {"baseline": "rnnsearch_star", "sets": {"test": {"bleu": {"sa_nmt": "‡"}}}}
    found = {name: {"title": name, "seeds": {}, "mean": mean, "sd": {}} for name, mean in systems.items()}
    return {"systems": found, "marks": marks}


MEANS = {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(29.0, 19.0)}
