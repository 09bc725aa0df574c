"""Which tables a report has, in the order of their list."""

from stages.reporting.bridges import transform
from stages.reporting.differences import differences
from stages.reporting.main_table import main_entry
from stages.reporting.study import Study
from stages.reporting.tables.ablation import ablation
from stages.reporting.tables.alignment import alignment
from stages.reporting.tables.cost import cost
from stages.reporting.tables.data import data
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.formulas import formulas
from stages.reporting.tables.length_buckets import length_buckets
from stages.reporting.tables.measured import measured
from stages.reporting.tables.perplexity import perplexity
from stages.reporting.tables.pos_confusion import pos_confusion
from stages.reporting.tables.quality import quality
from stages.reporting.tables.simple import EOS, OVER_TRANSLATION, simple
from stages.reporting.tables.unknown_words import unknown_words

TABLES = (
    quality,
    ablation,
    length_buckets,
    unknown_words,
    alignment,
    simple(OVER_TRANSLATION),
    simple(EOS),
    pos_confusion,
    transform,
    perplexity,
    cost,
    data,
)


def entries(study: Study) -> list[Entry]:
    """Those that the study has something for."""
    numbers = measured(study.document)
    found = [make(study, numbers) for make in TABLES]
    last = formulas(study.asked.titles, study.asked.models)
    return [main_entry(study), differences(study), *(entry for entry in [*found, last] if entry is not None)]
