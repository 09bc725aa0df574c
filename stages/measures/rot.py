"""Ratio of over-translation (Li et al. 2017, used in Kuang et al. 2018, Table 5).

The translation of a source word w is the list of target words whose highest attention is w. t(w) = its length minus
its number of distinct words; ROT = sum of t(w) / number of source words. Words are compared as given: case-fold before.

The end of sentence counts on neither side. A target word whose highest attention lies on the source's end of sentence
is the translation of no word: it adds to no t(w), and the number of source words does not change.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stages.measures.links import NO_LINK
from stages.measures.ratio import ratio


class Counts(NamedTuple):
    repeats: int  # sum of t(w)
    source_words: int


def repeats_per_word(target: Sequence[str], links: np.ndarray, source_length: int) -> np.ndarray:
    """t(w) of every source word, (S,) integers.

    target: T words; links: (T,) source word per target word as `links.strongest` gives it under the policy `drop`.
    """
    repeats = np.zeros(source_length, int)
    seen = set()
    for link in zip(links.tolist(), target, strict=True):
        if link[0] == NO_LINK:
            continue
        if link in seen:
            repeats[link[0]] += 1
        seen.add(link)
    return repeats


def statistics(repeats: np.ndarray) -> Counts:
    """Counts of one sentence from (S,) `repeats_per_word`, or from those of the words of one class."""
    return Counts(int(repeats.sum()), len(repeats))


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 2) summed `Counts` -> percent (...), lower is better, nan without source words."""
    repeats, source_words = np.moveaxis(np.asarray(totals, float), -1, 0)
    return 100 * ratio(repeats, source_words)


def aggregate(rows: np.ndarray) -> np.ndarray:
    """rows: (N, 2), one `Counts` a sentence."""
    return of_totals(np.sum(rows, axis=-2))
