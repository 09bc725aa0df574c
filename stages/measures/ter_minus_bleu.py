"""(TER - BLEU) / 2, the headline measure of Mi et al. 2016 (Tables 1 and 2), in percent, lower is better.

It has no counts of its own: TER and BLEU must be of the same sentences, and should see the same words and case.
"""

import numpy as np

from stages.measures import bleu, ter


def half_difference(ter_score: np.ndarray, bleu_score: np.ndarray) -> np.ndarray:
    """Both in percent, (...) -> (...)."""
    return (ter_score - bleu_score) / 2


def of_totals(ter_totals: np.ndarray, bleu_totals: np.ndarray) -> np.ndarray:
    """(..., 2) summed `ter.Counts` and (..., 10) summed `bleu.Counts` -> percent (...)."""
    return half_difference(ter.of_totals(ter_totals), bleu.of_totals(bleu_totals).score)
