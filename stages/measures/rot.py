"""Ratio of over-translation (Li et al. 2017, used in Kuang et al. 2018, Table 5).

The translation of a source word w is the list of target words whose highest attention is w. t(w) = its length minus
its number of distinct words; ROT of a set of source words = sum of their t(w) / number of them. The sets are all source
words and, where these have classes (parts of speech), those of each class. Words are compared as given: case-fold
before.

The words can also be told apart by the vocabulary of the system, of which words are outside that it reads as unknown.

The end of sentence counts on neither side. A target word whose highest attention lies on the source's end of sentence
is the translation of no word: it adds to no t(w), and the number of source words does not change.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stages.measures.hard_links import NO_LINK
from stages.measures.ratio import ratio

CLASSES = ("NN", "NR", "DT", "CD")
"""The paper's: nouns but for proper and temporal ones, proper nouns, determiners, cardinal numbers."""
SETS = ("all", *CLASSES, "rest")
"""`rest`, which the paper does not print: the words of all other classes."""

Counts = NamedTuple("Counts", [(f"{kind}_{words}", int) for words in SETS for kind in ("repeats", "words")])  # type: ignore[misc]  # mypy wants a literal
"""Of every set of source words: `repeats`, the sum of t(w), and `words`, how many there are."""


PARTS = ("outside", "inside", "NN_outside", "NN_inside")
"""Of the source words, by the vocabulary: all, and the class `NN`."""

VocabularyCounts = NamedTuple(  # type: ignore[misc]  # mypy wants a literal
    "VocabularyCounts", [(f"{kind}_{part}", int) for part in PARTS for kind in ("repeats", "words")]
)
"""The same of each of `PARTS`."""


class OverTranslation(NamedTuple):
    """Percent, shape (...), lower is better; nan for a set without source words."""

    rot: np.ndarray
    rot_NN: np.ndarray
    rot_NR: np.ndarray
    rot_DT: np.ndarray
    rot_CD: np.ndarray
    rot_rest: np.ndarray


def repeats_per_word(target: Sequence[str], links: np.ndarray, source_length: int) -> np.ndarray:
    """t(w) of every source word, (S,) integers.

    target: T words; links: (T,) source word per target word as `hard_links.strongest` gives it under the policy `drop`.
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


def statistics(repeats: np.ndarray, classes: Sequence[str] | None = None) -> Counts:
    """Counts of one sentence from (S,) `repeats_per_word` and the class of every source word.

    Without classes (None) the words count in `all` only. Raises ValueError if the lengths differ.
    """
    counts = np.zeros((len(SETS), 2), int)
    counts[SETS.index("all")] = repeats.sum(), len(repeats)
    if classes is not None:
        for t, name in zip(repeats.tolist(), classes, strict=True):
            counts[SETS.index(name if name in CLASSES else "rest")] += t, 1
    return Counts(*counts.ravel().tolist())


def by_vocabulary(repeats: np.ndarray, inside: np.ndarray, classes: Sequence[str] | None) -> VocabularyCounts:
    """Counts of one sentence from (S,) `repeats_per_word`, (S,) whether the vocabulary has the word, and its class.

    Without classes (None) no word is a noun. Raises ValueError if the lengths differ.
    """
    nouns = np.zeros(len(repeats), bool) if classes is None else np.array([name == "NN" for name in classes], bool)
    if not len(repeats) == len(inside) == len(nouns):
        raise ValueError(f"{len(repeats)} words, {len(inside)} of the vocabulary or not, {len(nouns)} classes")
    parts = (~inside, inside, nouns & ~inside, nouns & inside)
    return VocabularyCounts(*(int(count) for part in parts for count in (repeats[part].sum(), part.sum())))


def of_part(totals: np.ndarray, part: str) -> np.ndarray:
    """Percent (...), as `OverTranslation`, of one of `PARTS`; totals: (..., 8) summed `VocabularyCounts`."""
    place = 2 * PARTS.index(part)
    return 100 * ratio(np.asarray(totals[..., place], float), np.asarray(totals[..., place + 1], float))


def of_totals(totals: np.ndarray) -> OverTranslation:
    """totals: (..., 12) summed `Counts`."""
    totals = np.asarray(totals, float)
    shares = 100 * ratio(totals[..., 0::2], totals[..., 1::2])
    return OverTranslation(*np.moveaxis(shares, -1, 0))
