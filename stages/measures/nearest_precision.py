"""Precision of an embedding transform against a lexical table (Kuang et al. 2018, Eq. 4 and Table 7).

A source word's nearest target words, from the nearest on, are y* = argmin_y ||W E_x(x) - E_y(y)|| and those that
follow. The transform is right at n if the word's most likely translation, argmax_y p(y|x), is among the first n. The
paper prints the words of the ten most frequent source words and no precision; that, at 1 and at 5, is our summary.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

import numpy as np

from stages.measures.ratio import ratio


class Counts(NamedTuple):
    """Of one source word."""

    asked: int
    right_at_1: int
    right_at_5: int


class Precision(NamedTuple):
    """Percent, shape (...), nan where no word was asked; asked: number of words."""

    at_1: np.ndarray
    at_5: np.ndarray
    asked: np.ndarray


def statistics(nearest: Sequence[str], best: str) -> Counts:
    """Counts of one source word: `nearest` target words, from the nearest on, and the lexical table's `best`."""
    return Counts(1, best in nearest[:1], best in nearest[:5])


def of_totals(totals: np.ndarray) -> Precision:
    """totals: (..., 3) summed `Counts`."""
    asked, right_at_1, right_at_5 = np.moveaxis(np.asarray(totals, float), -1, 0)
    return Precision(100 * ratio(right_at_1, asked), 100 * ratio(right_at_5, asked), asked)


def precision(
    words: Iterable[tuple[str, Sequence[str]]], best: Mapping[str, str], targets: Set[str], first: int
) -> Precision:
    """Precision on the `first` source words, in their order, that can be asked.

    A word can be asked if the lexical table has it and its best translation is one of the `targets`, the words among
    which the transform sought.

    words: source words from the most frequent on, each with its nearest target words, from the nearest on.
    """
    known = ((nearest, best[word]) for word, nearest in words if word in best and best[word] in targets)
    rows = [statistics(nearest, translation) for nearest, translation in islice(known, first)]
    return of_totals(np.sum(np.reshape(rows, (-1, len(Counts._fields))), axis=0))
