"""Precision, recall and F1 of the links above a threshold (Mi et al. 2016, Table 3).

"For each target word we only add the highest probability link if it is higher than 0.2": a target word is linked to
its strongest source word if that weight is HIGHER than the threshold. Gold G makes no difference between sure and
possible: G = P. Precision = |A and G| / |A|, recall = |A and G| / |G|.

The paper's alignment matrices presumably have a column for the end of sentence. Under `drop` it takes part: a target
word that looks most at it has no link. Under `renorm` it does not, and the weights stay what they are.
"""

from typing import NamedTuple

import numpy as np

from stages.measures.gold_links import Gold
from stages.measures.hard_links import link_set, strongest
from stages.measures.ratio import ratio
from stages.settings.scoring import EosPolicy


class Counts(NamedTuple):
    links: int  # |A|
    gold: int  # |G|
    both: int  # |A and G|


class ThresholdScore(NamedTuple):
    """Percent, shape (...); nan where the denominator is 0."""

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray


def statistics(attention: np.ndarray, gold: Gold, threshold: float, eos: EosPolicy) -> Counts:
    """Counts of one sentence. attention: (T, S + 1) and eos: as for `strongest`."""
    kept = np.where(attention > threshold, attention, 0.0)
    links = link_set(strongest(kept, eos))
    return Counts(len(links), len(gold.possible), len(links & gold.possible))


def of_totals(totals: np.ndarray) -> ThresholdScore:
    """totals: (..., 3) summed `Counts`. F1 = 2|A and G| / (|A| + |G|), the harmonic mean of the two."""
    links, gold, both = np.moveaxis(np.asarray(totals, float), -1, 0)
    return ThresholdScore(100 * ratio(both, links), 100 * ratio(both, gold), 100 * ratio(2 * both, links + gold))
