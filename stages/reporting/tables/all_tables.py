"""Which tables a report has, in the order of their list."""

from stages.reporting.study_results import StudyResults
from stages.reporting.tables import measure_tables as of_measures
from stages.reporting.tables.bridged_words import transform
from stages.reporting.tables.claims import claims
from stages.reporting.tables.data import data
from stages.reporting.tables.differences import differences
from stages.reporting.tables.formulas import formulas
from stages.reporting.tables.main_table import main_entry
from stages.reporting.tables.measured import measured
from stages.reporting.tables.pos_confusion import pos_confusion
from stages.reporting.tables.read_outs import read_outs
from stages.reporting.tables.report_table import ReportTable

TABLES = (
    of_measures.QUALITY.of,
    of_measures.ABLATION.of,
    of_measures.BY_LENGTH.of,
    of_measures.UNKNOWN_WORDS.of,
    of_measures.ALIGNMENT_QUALITY.of,
    read_outs,
    of_measures.OVER_TRANSLATION.of,
    of_measures.COVERAGE_EMBEDDINGS.of,
    of_measures.END_OF_SENTENCE.of,
    pos_confusion,
    transform,
    of_measures.PERPLEXITY.of,
    of_measures.COSTS.of,
    data,
)


def report_tables(study: StudyResults) -> list[ReportTable]:
    """Those that the study has something for."""
    numbers = measured(study.document)
    found = [make(study, numbers) for make in TABLES]
    last = formulas(study.spec.titles, study.spec.models)
    first = [main_entry(study), claims(study), differences(study)]
    return [*first, *(entry for entry in [*found, last] if entry is not None)]
