"""Tables that are columns of metrics.json and nothing else."""

from collections.abc import Callable
from typing import NamedTuple

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import AVERAGE, Measured, notes, shown, test_sets
from stages.reporting.tables.number_formats import count, percent, ratio
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column


class PlainTable(NamedTuple):
    """recipe: the keys that matter; averaged: whether its numbers are those of the test sets together."""

    name: str
    title: str
    about: str
    mirrors: str
    recipe: tuple[str, ...]
    columns: tuple[Column, ...]
    averaged: bool = True


OVER_TRANSLATION = PlainTable(
    "over_translation",
    "Over-translation and under-translation",
    "Ratio of over-translation (ROT, percent) of all source words and by part of speech, repeated phrases and 4-grams, "
    "1-gram BLEU, which an untranslated word lowers, and the length of the translations to that of the references.",
    "Kuang et al. (2018), Tables 5 and 6; Mi et al. (2016), Section 5.3",
    ("rot", "tags", "unknown_words", "repeated_phrases", "bleu1"),
    (
        Column(f"{AVERAGE}rot", "ROT", "low", percent),
        *(Column(f"{AVERAGE}rot_{name}", f"ROT {name}", "low", percent) for name in ("NN", "NR", "DT", "CD", "rest")),
        Column(f"{AVERAGE}repeated_phrases", "repeated phrases", "low", count),
        Column(f"{AVERAGE}repeated_ngrams", "repeated 4-grams", "low", count),
        Column(f"{AVERAGE}bleu1", "1-gram BLEU", "high", percent),
        Column(f"{AVERAGE}length_ratio", "length ratio", None, ratio),
    ),
)
END_OF_SENTENCE = PlainTable(
    "eos",
    "End of sentence",
    "Of the translations that ended, the percentage whose end of sentence is aligned with the source's, and how many "
    "the length limit cut off instead.",
    "Kuang et al. (2018), Table 2",
    ("decoding",),
    (
        Column("dev.eos_aligned", "dev, eos aligned", "high", percent),
        Column("dev.cut_off", "dev, cut off", None, count),
        Column(f"{AVERAGE}eos_aligned", "test sets, eos aligned", "high", percent),
        Column(f"{AVERAGE}cut_off", "test sets, cut off", None, count),
    ),
)


def plain_table(of: PlainTable) -> Callable[[StudyResults, Measured], ReportTable | None]:
    """What makes the table of `of`."""

    def entry(study: StudyResults, measured: Measured) -> ReportTable | None:
        table = shown(measured, of.columns)
        if table is None:
            return None
        sets = (f"{test_sets(study.document)}; of counts, of their totals",) if of.averaged else ()
        below = (*sets, *notes(study.document, [table], of.recipe))
        return ReportTable(of.name, of.title, of.about, of.mirrors, {"": table}, below)

    return entry
