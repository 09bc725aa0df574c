"""Precision, recall and F1 of the links above a threshold (Mi et al. 2016, Table 3).

A target word is linked to its strongest source word if that weight is HIGHER than the threshold. Gold G makes no
difference between sure and possible: G = P. Precision = |A and G| / |A|, recall = |A and G| / |G|.
"""

from typing import NamedTuple

import numpy as np

from stages.measures.gold_links import Gold
from stages.measures.hard_links import link_set, strongest
from stages.measures.ratio import ratio


class Counts(NamedTuple):
    links: int  # |A|
    gold: int  # |G|
    both: int  # |A and G|


class ThresholdScore(NamedTuple):
    """Percent, shape (...); nan where the denominator is 0."""

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray


def statistics(attention: np.ndarray, gold: Gold, threshold: float) -> Counts:
    """Counts of one sentence. attention: (T, S + 1) as for `strongest`; only real words compete for a link."""
    kept = np.where(attention > threshold, attention, 0.0)
    links = link_set(strongest(kept, eos="renorm"))
    return Counts(len(links), len(gold.possible), len(links & gold.possible))


def of_totals(totals: np.ndarray) -> ThresholdScore:
    """totals: (..., 3) summed `Counts`. F1 = 2|A and G| / (|A| + |G|), the harmonic mean of the two."""
    links, gold, both = np.moveaxis(np.asarray(totals, float), -1, 0)
    return ThresholdScore(100 * ratio(both, links), 100 * ratio(both, gold), 100 * ratio(2 * both, links + gold))


def aggregate(rows: np.ndarray) -> ThresholdScore:
    """rows: (N, 3), one `Counts` a sentence."""
    return of_totals(np.sum(rows, axis=-2))
