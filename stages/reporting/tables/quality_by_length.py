"""BLEU by length of the source sentence."""

from stages.measures.length_buckets import BUCKETS
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.number_formats import count, percent
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import MISSING, Cell, Column, Table, without_arrow


def length_buckets(study: StudyResults, measured: Measured) -> ReportTable | None:
    """A table a test set."""
    parts = {}
    for test in study.text.tests:
        above = f"tests.{test}.bleu_by_length"
        table = shown(measured, [Column(f"{above}.{name}.bleu", name, "high", percent) for name in BUCKETS])
        if table is not None:
            parts[test] = _with_counts(table, measured, above)
    if not parts:
        return None
    return ReportTable(
        name="length_buckets",
        title="BLEU by length of the source",
        about="Corpus BLEU of the sentences of each length, in words of the source; buckets without sentences are left "
        "out.",
        mirrors="Kuang et al. (2018), Figure 6; the Bahdanau slides, BLEU by length",
        parts=parts,
        notes=notes(study.document, parts.values(), ("bleu", "bleu_by_length")),
    )


def _with_counts(table: Table, measured: Measured, above: str) -> Table:
    """How many sentences each bucket has as the first row: as many for every system."""
    first = measured.frame.iloc[0]
    numbers = [first[f"{above}.{without_arrow(heading)}.sentences"] for heading in table.headings[1:]]
    cells = tuple(Cell(count(number), number=float(number)) if number else Cell(MISSING) for number in numbers)
    return table._replace(rows=(("Sentences", cells), *table.rows), names=("", *table.names))
