"""What a system reaches on each sentence, from the counts of the score stage."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sacrebleu.metrics import BLEU

from stages.measures import aer, bleu
from stages.scoring.catalogue import GROUPS

DIGITS = 4
"""Decimals that are kept: equal differences of rounded values must not look unequal where the page writes one."""

Values = list[float | None]
"""One a sentence; None where it is undefined."""


def sentence_bleu(counts: np.ndarray) -> np.ndarray:
    """sacrebleu's sentence BLEU, smoothing `exp` and effective order, in percent (N,). counts: (N, 10)."""
    rows = (bleu.Counts(*row) for row in counts.astype(int).tolist())
    return np.array([_sentence_bleu(row) for row in rows])


def _sentence_bleu(row: bleu.Counts) -> float:
    correct, total = list(row[2 : 2 + bleu.ORDER]), list(row[2 + bleu.ORDER :])
    lengths = {"sys_len": row.system_length, "ref_len": row.reference_length}
    return BLEU.compute_bleu(correct, total, smooth_method=bleu.SMOOTHING, effective_order=True, **lengths).score


def sentence_aer(counts: np.ndarray) -> np.ndarray:
    """AER in percent (N,), nan for a sentence without links. counts: (N, 4)."""
    return aer.of_totals(counts).aer


def sentence_repeats(counts: np.ndarray) -> np.ndarray:
    """The sum of t(w) over the source words (N,). counts: (N, 12)."""
    return counts[:, GROUPS["rot"].index("repeats_all")]


MEASURES: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "bleu": ("bleu", sentence_bleu),
    "aer": ("aer", sentence_aer),
    "over-translation": ("rot", sentence_repeats),
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
