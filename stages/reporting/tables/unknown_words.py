"""BLEU with and without unknown words."""

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import AVERAGE, Measured, notes, shown, test_sets
from stages.reporting.tables.number_formats import count, percent
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column

COLUMNS = (
    Column(f"{AVERAGE}bleu", "replaced", "high", percent),
    Column(f"{AVERAGE}bleu_unk_kept", "kept (All)", "high", percent),
    Column(f"{AVERAGE}bleu_no_unk", "No UNK", "high", percent),
    Column(f"{AVERAGE}no_unk_sentences", "sentences without UNK", None, count),
)


def unknown_words(study: StudyResults, measured: Measured) -> ReportTable | None:
    """None where nothing is unknown, as with pieces: all three columns are the same."""
    frame = measured.frame[[column.measure for column in COLUMNS[:3]]]
    table = shown(measured, COLUMNS)
    if table is None or (frame.nunique(axis=1, dropna=False) == 1).all():
        return None
    return ReportTable(
        name="unknown_words",
        title="Unknown words",
        about="BLEU of all sentences with unknown words replaced, of all with unknown words kept as wrong words, and "
        "of those without unknown words.",
        mirrors="the Bahdanau slides, Quantitative results (All and No UNK)",
        parts={"": table},
        notes=(test_sets(study.document), *notes(study.document, [table], ("bleu", "unknown_words", "no_unk"))),
    )
