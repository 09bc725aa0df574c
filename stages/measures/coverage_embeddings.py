"""Coverage embeddings before and after a sentence (Mi et al. 2016, Section 3): "full" at first, "empty" in the end.

At the end of a translation they "should be close to zero", and the first one is to "encode fertility".
"""

from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio


class Sums(NamedTuple):
    """Over a sentence's source words, of ||c_0||, ||c_T|| and the number of target words that each is linked to."""

    words: int
    first: float
    last: float
    linked: int
    first_squared: float
    linked_squared: int
    first_linked: float


def statistics(first: np.ndarray, last: np.ndarray, linked: np.ndarray) -> Sums:
    """Sums of one sentence. first, last: lengths (S,) of its words' coverage embeddings; linked: target words (S,)."""
    return Sums(
        len(first), first.sum(), last.sum(), linked.sum(), (first**2).sum(), (linked**2).sum(), (first * linked).sum()
    )


def left(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 7) summed `Sums` -> percent (...) of the lengths at first that is left in the end."""
    sums = Sums(*np.moveaxis(np.asarray(totals, float), -1, 0))
    return 100 * ratio(sums.last, sums.first)


def fertility(totals: np.ndarray) -> np.ndarray:
    """Pearson's correlation (...) of ||c_0|| with the number of linked words; nan if one of them never varies."""
    sums = Sums(*np.moveaxis(np.asarray(totals, float), -1, 0))
    both = sums.words * sums.first_linked - sums.first * sums.linked
    of_first = sums.words * sums.first_squared - sums.first**2
    of_linked = sums.words * sums.linked_squared - sums.linked**2
    # What rounding leaves of no variance is no variance.
    least = 1e-12 * sums.words
    varies = (of_first > least * sums.first_squared) & (of_linked > least * sums.linked_squared)
    return ratio(np.where(varies, both, 0), np.where(varies, np.sqrt(np.maximum(of_first * of_linked, 0)), 0))
