"""Soft alignment error rate (Tu et al. 2016).

SAER = 1 - (|M_A x M_S| + |M_A x M_P|) / (|M_A| + |M_S|), x elementwise, |.| the sum of all entries, M_A the attention,
M_S and M_P the 0/1 matrices of sure and of possible links. Equals AER when every row of M_A has one weight of 1.
"""

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from stages.files.links import Link
from stages.measures.gold_links import Gold
from stages.measures.ratio import ratio


class Masses(NamedTuple):
    attention: float  # |M_A|
    sure: float  # |M_S|
    attention_sure: float  # |M_A x M_S|
    attention_possible: float  # |M_A x M_P|


def statistics(attention: np.ndarray, gold: Gold) -> Masses:
    """Masses of one sentence.

    attention: (T, S), word level, without the target's end-of-sentence row and the source's end-of-sentence column and
    NOT renormalised, so that |M_A| <= T. Raises IndexError if a link lies outside.
    """
    return Masses(
        float(attention.sum()), float(len(gold.sure)), _mass(attention, gold.sure), _mass(attention, gold.possible)
    )


def _mass(attention: np.ndarray, links: Set[Link]) -> float:
    sources, targets = [s for s, _ in links], [t for _, t in links]
    return float(attention[targets, sources].sum()) if links else 0.0


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 4) summed `Masses` -> percent (...), lower is better, nan where |M_A| = |M_S| = 0."""
    attention, sure, attention_sure, attention_possible = np.moveaxis(np.asarray(totals, float), -1, 0)
    return 100 * (1 - ratio(attention_sure + attention_possible, attention + sure))
