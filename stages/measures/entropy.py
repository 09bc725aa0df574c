"""Entropy of attention: how widely a target word spreads its weight over the source (no paper of ours prints it).

H_i = - sum_j alpha_ij ln alpha_ij with 0 ln 0 = 0, averaged over all target words of the set. Between 0, one source
word, and ln(S + 1), all alike.

Choice: a row that does not sum to 1, such as Luong's local-p, is divided by its sum first; a row of zeros says nothing
about spread and is left out.
"""

from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio


class Sums(NamedTuple):
    entropy: float  # sum of H_i, nats
    rows: int  # target words with any weight


def statistics(attention: np.ndarray) -> Sums:
    """Sums of one sentence.

    attention: (T, S + 1), word level, rows = target words WITHOUT the target's end of sentence, last column = the
    source's end of sentence, which counts as a place to look at.
    """
    totals = attention.sum(axis=1)
    weights = attention[totals > 0] / totals[totals > 0, None]
    surprisal = np.abs(np.log(weights, out=np.zeros_like(weights), where=weights > 0))
    return Sums(float((weights * surprisal).sum()), len(weights))


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 2) summed `Sums` -> mean entropy in nats (...), nan without rows."""
    entropy, rows = np.moveaxis(np.asarray(totals, float), -1, 0)
    return ratio(entropy, rows)
