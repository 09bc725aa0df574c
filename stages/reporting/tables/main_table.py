"""The main table: every system with the quality of its translations and alignments, its size and its cost."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from stages.reporting import aligners, recipe
from stages.reporting.given_metrics import GIVEN, GivenMetric
from stages.reporting.marks import Marks, marks_of
from stages.reporting.metrics import Document
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.columns import columns
from stages.reporting.tables.markdown import page
from stages.reporting.tables.measured import BELONGS, notes
from stages.reporting.tables.table import Column, ReportTable, Table, build, four

FIRST = columns("bleu", "ter", "aer", "rot", "perplexity")
"""What papers compare most: it stands where a narrow screen shows it."""
MORE = columns("repeated_phrases", "bleu_cased", "chrf", "saer", "align_precision", "align_recall")
MEASURES = (*FIRST, *MORE)
OF_GOLD = ("aer", "saer", "align_precision", "align_recall")
OF_ALIGNERS = [column for column in MEASURES if column.measure in aligners.KEYS]
ALIGNERS = "Statistical word alignment"
COST = columns("parameters", "train_tokens_per_second", "wall_seconds")
RECIPE = (
    *("bleu", "unknown_words", "checkpoint", "decoding", "perplexity", "alignment", "rot", "repeated_phrases"),
    *(GIVEN, "chosen_on_dev"),
)


def main_table(frame: pd.DataFrame, marks: Marks, first: str, given: Sequence[GivenMetric]) -> Table:
    """Main results from the frame of `results_frame`, with a BLEU column for every further test set and the average.

    first: the first test set, which the others' columns are of; BLEU names it where there are several. Cost columns
    have no best, for cheaper is not better by itself.
    """
    others = [name for name in frame if name.startswith("bleu.") and not name.endswith("_sd")]
    bleu, *rest = FIRST
    further = [bleu._replace(measure=name, heading=f"BLEU {name.removeprefix('bleu.')}") for name in others]
    if further:
        bleu = bleu._replace(heading=f"BLEU {first}")
    return build(frame, (bleu, *rest, *further, *given_columns(given), *MORE, *COST), marks)


def given_columns(given: Sequence[GivenMetric], above: str = "") -> list[Column]:
    """above: what stands before their names, as in `columns`."""
    return [Column(above + one.name, one.name, one.better, four) for one in given]


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
    parts = {"": main_table(study.frame, main_marks(study.document), study.text.tests[0], study.given)}
    if not study.aligners.empty:  # they align and translate nothing: a table of their own
        parts[ALIGNERS] = build(study.aligners, OF_ALIGNERS, {})
    return ReportTable(
        name="main",
        title="Main results",
        about="Every system with the quality of its translations and alignments, its size and its cost.",
        mirrors="Xue et al. (2019), Table 2; Kuang et al. (2018), Table 1",
        parts=parts,
        notes=(_sets(study), *of_case(study), *notes(study.document, parts.values(), RECIPE)),
        records=pd.concat([study.frame.drop(columns="apart"), study.aligners]).copy().reset_index(),
    )


def of_case(study: StudyResults) -> tuple[str, ...]:
    """What to say of measures that count case."""
    if not study.stats["lowercase"]:
        return ()
    return ("BLEU cased and chrF count case, which the references have and the lower-cased translations have not",)


def _sets(study: StudyResults) -> str:
    """What the columns are of."""
    of_gold = ", ".join(column.heading for column in MEASURES if column.measure in OF_GOLD)
    others = {"dev perplexity": "dev", **({of_gold: "the gold set"} if study.text.gold else {})}
    also = ", ".join(f"{columns} of {of}" for columns, of in others.items())
    return f"columns without the name of a set are of {study.text.tests[0]}, {also}"


def main_page(entry: ReportTable, made: Mapping[str, Any]) -> str:
    """`main.md`: what other tables have, and the whole recipe in the place of what they take of it."""
    taken = recipe.short(made, (*RECIPE, *BELONGS.values()))
    own = entry._replace(notes=tuple(note for note in entry.notes if note not in taken))
    return f"{page(own)}\nHow these numbers came about:\n\n{recipe.footnotes(made)}"
