"""Histogram of coverage: how much attention each source word got in all.

The coverage of source word j is sum_i alpha_ij over the words of the system's own translation: the linguistic coverage
of Tu et al. 2016 with a fertility of 1. Near 0 the word was passed over, near 1 translated once, near 2 twice.

Choice: the end of sentence counts on neither side. The bins are fixed, so that systems can be laid side by side, and 0,
1 and 2 lie within one each, so that rounded weights do not scatter over two.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio

EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.9, 2.1)
"""Where the bins begin. A bin ends where the next one begins and does not hold that value; the last one has no end."""

BINS = (*(f"{start}-{end}" for start, end in pairwise(EDGES)), f"{EDGES[-1]}+")
"""What the bins are called."""

Counts = NamedTuple("Counts", [(f"from_{edge}".replace(".", "_"), int) for edge in EDGES])  # type: ignore[misc]  # mypy wants a literal
"""Source words in each bin."""


def statistics(attention: np.ndarray) -> Counts:
    """Counts of one sentence.

    attention: (T, S + 1), word level, rows = target words WITHOUT the target's end of sentence, last column = the
    source's end of sentence.
    """
    coverage = attention[:, :-1].sum(axis=0)
    return Counts(*np.bincount(np.digitize(coverage, EDGES[1:]), minlength=len(EDGES)).tolist())


def of_totals(totals: np.ndarray) -> dict[str, np.ndarray]:
    """totals: (..., K) summed `Counts` -> by bin the percent (...) of all source words, nan without source words."""
    totals = np.asarray(totals, float)
    shares = 100 * ratio(totals, totals.sum(axis=-1, keepdims=True))
    return dict(zip(BINS, np.moveaxis(shares, -1, 0), strict=True))
