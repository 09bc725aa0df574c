"""The main table: every system with the quality of its translations and alignments, its size and its cost."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from stages.reporting import recipe
from stages.reporting.marks import Marks, marks_of
from stages.reporting.metrics import Document
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.markdown import page
from stages.reporting.tables.measured import notes
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column, Table, build
from stages.reporting.tables.written import clock, count, millions, percent, rate

BLEU = (
    Column("bleu", "BLEU", "high", percent),
    Column("bleu_cased", "BLEU cased", "high", percent),
)
MEASURES = (
    Column("ter", "TER", "low", percent),
    Column("chrf", "chrF", "high", percent),
    Column("perplexity", "dev perplexity", "low", percent),
    Column("aer", "AER", "low", percent),
    Column("saer", "SAER", "low", percent),
    Column("align_precision", "align precision", "high", percent),
    Column("align_recall", "align recall", "high", percent),
    Column("rot", "ROT", "low", percent),
    Column("repeated_phrases", "repeated phrases", "low", count),
)
COST = (
    Column("parameters", "parameters", None, millions, spread=False),
    Column("train_tokens_per_second", "train tokens/s", None, rate),
    Column("wall_seconds", "wall time", None, clock),
)
RECIPE = ("bleu", "checkpoint", "decoding", "perplexity", "alignment", "rot", "repeated_phrases")


def main_table(frame: pd.DataFrame, aligners: pd.DataFrame, marks: Marks) -> Table:
    """Main results from the frame of `results_frame`, with a BLEU column for every further test set and the average.

    Below the systems stand the statistical `aligners` (frame of `aligner_frame`). They translate nothing and do not
    compete for the best of a column. Cost columns have no best, for cheaper is not better by itself.
    """
    others = [
        column.removeprefix("bleu.") for column in frame if column.startswith("bleu.") and not column.endswith("_sd")
    ]
    further = (Column(f"bleu.{name}", f"BLEU {name}", "high", percent) for name in others)
    columns = (*BLEU, *further, *MEASURES, *COST)
    systems = build(frame, columns, marks)
    below = build(aligners, [column._replace(better=None) for column in columns], {})
    return systems._replace(rows=systems.rows + below.rows, names=systems.names + below.names)


def main_marks(document: Document) -> dict[tuple[str, str], str]:
    """(variant, column of the main table) -> its marks."""
    first = document["recipe"]["data"]["tests"][0]
    return {(variant, _column(path, first)): marks for (variant, path), marks in marks_of(document["marks"]).items()}


def _column(path: str, first: str) -> str:
    """The column that shows the measure at a path of metrics.json; first: name of the first test set."""
    if not path.startswith("tests."):
        return path
    _, name, measure = path.split(".", 2)
    return measure if name == first else f"{measure}.{name}"


def main_entry(study: StudyResults) -> ReportTable:
    """`main`; its CSV file has a line a system and every measure."""
    table = main_table(study.frame, study.aligners, main_marks(study.document))
    return ReportTable(
        name="main",
        title="Main results",
        about="Every system with the quality of its translations and alignments, its size and its cost.",
        mirrors="Xue et al. (2019), Table 2; Kuang et al. (2018), Table 1",
        parts={"": table},
        notes=(_sets(study), *notes(study.document, [table], RECIPE)),
        records=pd.concat([study.frame.drop(columns="apart"), study.aligners]).copy().reset_index(),
    )


def _sets(study: StudyResults) -> str:
    """What the columns are of."""
    others = {"dev perplexity": "dev", **({"AER to align recall": "the gold set"} if study.text.gold else {})}
    also = ", ".join(f"{columns} of {of}" for columns, of in others.items())
    return f"columns without the name of a set are of {study.text.tests[0]}, {also}"


def main_page(entry: ReportTable, made: Mapping[str, Any]) -> str:
    """`main.md`: what other tables have, and the whole recipe in the place of what they take of it."""
    taken = recipe.short(made, (*RECIPE, "references"))
    own = entry._replace(notes=tuple(note for note in entry.notes if note not in taken))
    return f"{page(own)}\nHow these numbers came about:\n\n{recipe.footnotes(made)}"
