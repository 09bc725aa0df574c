"""Alignment error rate, precision and recall (Och & Ney 2003).

AER = 1 - (|A and S| + |A and P|) / (|A| + |S|), precision = |A and P| / |A|, recall = |A and S| / |S|, with A the
links found, S the sure and P the possible links. Every term is summed over the corpus before dividing.
"""

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from stages.files.links import Link
from stages.measures.gold_links import Gold
from stages.measures.ratio import ratio


class Counts(NamedTuple):
    links: int  # |A|
    sure: int  # |S|
    links_sure: int  # |A and S|
    links_possible: int  # |A and P|


class AlignmentScore(NamedTuple):
    """Percent, shape (...); aer: lower is better. nan where the denominator is 0."""

    aer: np.ndarray
    precision: np.ndarray
    recall: np.ndarray


def statistics(links: Set[Link], gold: Gold) -> Counts:
    """Counts of one sentence. `links`: any alignment, many-to-many included."""
    return Counts(len(links), len(gold.sure), len(links & gold.sure), len(links & gold.possible))


def of_totals(totals: np.ndarray) -> AlignmentScore:
    """totals: (..., 4) summed `Counts`."""
    links, sure, links_sure, links_possible = np.moveaxis(np.asarray(totals, float), -1, 0)
    return AlignmentScore(
        aer=100 * (1 - ratio(links_sure + links_possible, links + sure)),
        precision=100 * ratio(links_possible, links),
        recall=100 * ratio(links_sure, sure),
    )
