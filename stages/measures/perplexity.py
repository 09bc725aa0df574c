"""Perplexity per target token: exp(-sum log p(y_i) / number of tokens).

Natural logarithm, the end of sentence is a token, an unknown word is scored as a token. Comparable only between systems
with the same vocabulary.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio


class Sums(NamedTuple):
    log_probability: float
    tokens: int


def statistics(log_probabilities: Sequence[float]) -> Sums:
    """Sums of one sentence; log_probabilities: natural log p of each target token, the end of sentence included."""
    return Sums(math.fsum(log_probabilities), len(log_probabilities))


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 2) summed `Sums` -> perplexity (...), nan without tokens."""
    log_probability, tokens = np.moveaxis(np.asarray(totals, float), -1, 0)
    return np.exp(-ratio(log_probability, tokens))
