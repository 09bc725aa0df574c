"""Classes (parts of speech) of target words against those of their source words (Kuang et al. 2018, Table 3).

conf[p, q] = 100 * (target words of class p whose source word is of class q) / (target words of class p). The source
word of a target word is the one with the highest attention. As in the paper all nouns are one class and all verbs
another.

Choice: a target word whose highest attention lies on the source's end of sentence, or that has none, comes from the
class `none`, so that the denominator is all target words of class p and every row sums to 100. The target's end of
sentence is no word.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stages.measures.hard_links import NO_LINK
from stages.measures.ratio import ratio

CLASSES = ("N", "V", "CD", "JJ", "AD", "DT", "OTHER")
NONE = "none"
SOURCES = (*CLASSES, NONE)

_MERGED = {"NN": "N", "NR": "N", "NT": "N", **{name: name for name in CLASSES[1:]}}

Counts = NamedTuple("Counts", [(f"{p}_{q}", int) for p in CLASSES for q in SOURCES])  # type: ignore[misc]  # mypy wants a literal
"""Target words of class p whose source word is of class q, as column p_q, row by row of the matrix."""


def statistics(target_classes: Sequence[str], source_classes: Sequence[str], links: np.ndarray) -> Counts:
    """Counts of one sentence.

    target_classes, source_classes: of each of T and S words: V, CD, JJ, AD, DT, OTHER, or NN, NR, NT, which are N here.
    links: (T,) source word per target word as `hard_links.strongest` gives it under the policy `drop`.
    Raises ValueError if a class is none of these, or if links and target words differ in number.
    """
    rows, columns = _indices(target_classes), _indices(source_classes)
    counts = np.zeros((len(CLASSES), len(SOURCES)), int)
    for p, j in zip(rows, links.tolist(), strict=True):
        counts[p, SOURCES.index(NONE) if j == NO_LINK else columns[j]] += 1
    return Counts(*counts.ravel().tolist())


def _indices(classes: Sequence[str]) -> list[int]:
    unknown = sorted(set(classes) - set(_MERGED))
    if unknown:
        raise ValueError(f"'{unknown[0]}' is not a class of words: use {', '.join(_MERGED)}")
    return [CLASSES.index(_MERGED[name]) for name in classes]


def of_totals(totals: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
    """totals: (..., K) summed `Counts` -> by target class, then source class, percent (...); nan in the row of a class
    without target words."""
    totals = np.asarray(totals, float)
    counts = totals.reshape(*totals.shape[:-1], len(CLASSES), len(SOURCES))
    shares = 100 * ratio(counts, counts.sum(axis=-1, keepdims=True))
    return {p: {q: shares[..., row, column] for column, q in enumerate(SOURCES)} for row, p in enumerate(CLASSES)}
