"""Which tables a report has, in the order of their list."""

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.ablation import ablation
from stages.reporting.tables.alignment_quality import alignment
from stages.reporting.tables.both_perplexities import perplexity
from stages.reporting.tables.bridged_words import transform
from stages.reporting.tables.claims import claims
from stages.reporting.tables.cost import cost
from stages.reporting.tables.data import data
from stages.reporting.tables.differences import differences
from stages.reporting.tables.formulas import formulas
from stages.reporting.tables.main_table import main_entry
from stages.reporting.tables.measured import measured
from stages.reporting.tables.plain_tables import END_OF_SENTENCE, OVER_TRANSLATION, plain_table
from stages.reporting.tables.pos_confusion import pos_confusion
from stages.reporting.tables.quality import quality
from stages.reporting.tables.quality_by_length import length_buckets
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.unknown_words import unknown_words

TABLES = (
    quality,
    ablation,
    length_buckets,
    unknown_words,
    alignment,
    plain_table(OVER_TRANSLATION),
    plain_table(END_OF_SENTENCE),
    pos_confusion,
    transform,
    perplexity,
    cost,
    data,
)


def report_tables(study: StudyResults) -> list[ReportTable]:
    """Those that the study has something for."""
    numbers = measured(study.document)
    found = [make(study, numbers) for make in TABLES]
    last = formulas(study.spec.titles, study.spec.models)
    return [
        main_entry(study),
        claims(study),
        differences(study),
        *(entry for entry in [*found, last] if entry is not None),
    ]
