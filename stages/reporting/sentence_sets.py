"""What the explorer shows: every sentence of the test sets and of the gold set, and what each system made of it."""

from collections.abc import Sequence
from typing import NamedTuple

from stages.files.run_directory import RunDirectory
from stages.files.text import read_lines
from stages.measures.gold_links import Gold
from stages.reporting.sentence_values import Values, read_values
from stages.reporting.study_results import StudyResults
from stages.scoring.inputs import read_decoded, read_gold, read_references
from stages.translating.translations import Translation


class Side(NamedTuple):
    """One system on one set; values: measure -> one a sentence."""

    translations: Sequence[Translation]
    values: dict[str, Values]


class SentenceSet(NamedTuple):
    """source: N lines of words as the corpus writes them (pieces may say <unk>); sides: variant -> system.

    forced: every system was made to translate into the only reference, whose words those of `references` are.
    golds: None but for the gold set.
    """

    name: str
    forced: bool
    source: Sequence[str]
    references: Sequence[Sequence[str]]
    golds: Sequence[Gold] | None
    sides: dict[str, Side]


def read_sets(study: StudyResults) -> list[SentenceSet]:
    """The test sets, then the gold set if there is one; of the first seed. Raises InputError naming file and line."""
    names = [*study.text.tests, *(["gold"] if study.text.gold else [])]
    return [_read_set(study, name, forced=name == "gold") for name in names]


def _read_set(study: StudyResults, name: str, forced: bool) -> SentenceSet:
    text, run, seed = study.text, RunDirectory(study.folders.run_directory), study.spec.seeds[0]
    file = f"{name}.forced.jsonl" if forced else f"{name}.jsonl"
    target = read_lines(text.folder / f"{name}.{text.target}")
    return SentenceSet(
        name=name,
        forced=forced,
        source=read_lines(text.folder / f"{name}.{text.source}"),
        references=[(line,) for line in target] if forced else read_references(text, name),
        golds=read_gold(text) if forced else None,
        sides={
            variant: Side(
                read_decoded(text, name, run.translations(variant, seed) / file, forced),
                read_values(run.scores(variant, seed) / f"{name}.csv"),
            )
            for variant in study.spec.titles
        },
    )
