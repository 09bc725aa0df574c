"""What the explorer shows: every sentence of the test sets and of the gold set, and what each system made of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sacrebleu.metrics import BLEU

from stages.files.run_directory import RunDirectory
from stages.files.text import read_lines
from stages.measures import aer, bleu
from stages.measures.gold_links import Gold
from stages.reporting.study_results import StudyResults
from stages.scoring.catalogue import GROUPS
from stages.scoring.inputs import read_decoded, read_gold, read_references
from stages.translating.translations import Translation

DIGITS = 4
"""Decimals that are kept: equal differences of rounded values must not look unequal where the page writes one."""

Values = list[float | None]
"""One a sentence; None where it is undefined."""


def sentence_bleu(counts: np.ndarray) -> np.ndarray:
    """sacrebleu's sentence BLEU, smoothing `exp` and effective order, in percent (N,). counts: (N, 10)."""
    found = []
    for row in (bleu.Counts(*row) for row in counts.astype(int).tolist()):
        correct, total = list(row[2 : 2 + bleu.ORDER]), list(row[2 + bleu.ORDER :])
        lengths = {"sys_len": row.system_length, "ref_len": row.reference_length}
        of = BLEU.compute_bleu(correct, total, smooth_method=bleu.SMOOTHING, effective_order=True, **lengths)
        found.append(of.score)
    return np.array(found)


def sentence_aer(counts: np.ndarray) -> np.ndarray:
    """AER in percent (N,), nan for a sentence without links. counts: (N, 4)."""
    return aer.of_totals(counts).aer


MEASURES: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "bleu": ("bleu", sentence_bleu),
    "aer": ("aer", sentence_aer),
    "over-translation": ("rot", lambda counts: counts[:, GROUPS["rot"].index("repeats_all")]),
}
"""Name on the page -> group of counts, and what it gives."""


def read_values(path: Path) -> dict[str, Values]:
    """The measures that the CSV file of one system and set has counts of; reading the study has checked the file."""
    frame = pd.read_csv(path, dtype=float)
    found = {}
    for name, (group, value) in MEASURES.items():
        columns = [f"{group}.{field}" for field in GROUPS[group]]
        if set(columns) <= set(frame):
            numbers = value(frame[columns].to_numpy()).tolist()
            found[name] = [None if np.isnan(number) else round(number, DIGITS) for number in numbers]
    return found


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
    return [_read_set(study, name, forced=name == "gold") for name in (*study.text.tests, *study.text.gold_set)]


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
