"""Nearest target words of frequent source words by an embedding transform (Kuang et al. 2018, Table 7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.reporting.papers.paper_tables import PaperWord
from stages.reporting.results import SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.table import Cell, Column, ReportTable, Table, count, percent, ratio

HEADINGS = ("Source word", "in train", "nearest target words", "lexical table")
COLUMNS = (
    *(Column(f"transform_p{k}_top10", f"P@{k} of 10", "high", percent) for k in (1, 5)),
    *(Column(f"transform_p{k}", f"P@{k} of 1,000", "high", percent) for k in (1, 5)),
    Column("transform_words", "words asked", None, count),
    *(Column(f"transform_norm_{side}", f"mean length E_{side}", None, ratio) for side in ("x", "y")),
    Column("transform_distance", "mean distance", None, ratio),
)

BOTH = "the languages share a vocabulary, so that the most frequent words and those that may be nearest are of both"
COUNTED = ", and words are counted in both"


def transform(study: StudyResults, measured: Measured) -> ReportTable | None:
    """How often the nearest words have the lexical table's, and the words of each system; None if none bridges."""
    words = {
        f"{system.title}, {system.variant}": Table(
            HEADINGS,
            tuple((word["word"], _cells(word)) for word in system.runs[0].bridged),
            words=frozenset(HEADINGS[2:]),
        )
        for system in study.systems
        if system.runs[0].bridged
    }
    precision = shown(measured, COLUMNS)
    shared = (BOTH + COUNTED,) if study.document["recipe"].get("vocabulary", {}).get("joint") else ()
    parts = ({"Precision": precision} if precision else {}) | words
    if not parts:
        return None
    return ReportTable(
        name="transform",
        title="Embedding transform",
        about="The most frequent source words that the lexical table translates into a word of the target vocabulary, "
        "the target words nearest to W E_x(x), from the nearest on, and the lexical table's most likely translation "
        "(bold: the nearest word is it; first seed). P@k: how often it is among the nearest k, of the 10 and of the "
        "1,000 most frequent words.",
        mirrors="Kuang et al. (2018), Table 7",
        parts=parts,
        notes=(*shared, *notes(study.document, [precision] if precision else [], ("transform",))),
    )


def bridged_words(systems: Sequence[SystemResults]) -> list[PaperWord]:
    """For the paper's own table: the words of the paper's system, the first that bridges directly."""
    found = [system.runs[0].bridged for system in systems if system.runs[0].bridged is not None]
    return (
        [PaperWord(source=one["word"], nearest=one["nearest"][0], lexicon=one["lexicon"]) for one in found[0]]
        if found
        else []
    )


def _cells(word: Mapping[str, Any]) -> tuple[Cell, ...]:
    right = word["nearest"][0] == word["lexicon"]
    frequency = Cell(f"{word['count']:,}", number=word["count"])
    return frequency, Cell(" ".join(word["nearest"])), Cell(word["lexicon"], right)
