"""Repeated phrases of at least 4 words within a sentence (Mi et al. 2016, section 5.3)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MIN_LENGTH = 4


class Counts(NamedTuple):
    """`phrases`: scan from the left; at each position take the longest span of >= 4 words that equals a span ended
    before it, count 1 and go on after it; without such a span go on one word. The paper does not say how it counts.
    `ngrams`, the secondary number: occurrences of 4-grams beyond the first of each."""

    phrases: int
    ngrams: int


class Repeated(NamedTuple):
    """The same of a set, each of shape (...)."""

    phrases: np.ndarray
    ngrams: np.ndarray


def statistics(words: Sequence[str]) -> Counts:
    """Counts of one sentence without its end of sentence; words are compared as given."""
    ngrams = [tuple(words[i : i + MIN_LENGTH]) for i in range(len(words) - MIN_LENGTH + 1)]
    return Counts(_phrases(words, ngrams), sum(count - 1 for count in Counter(ngrams).values()))


def _phrases(words: Sequence[str], ngrams: Sequence[tuple[str, ...]]) -> int:
    starts = defaultdict(list)
    ended, position, phrases = 0, 0, 0
    while position < len(ngrams):
        while ended + MIN_LENGTH <= position:
            starts[ngrams[ended]].append(ended)
            ended += 1
        earlier = starts[ngrams[position]]
        if not earlier:
            position += 1
            continue
        phrases += 1
        position += max(_common(words, start, position) for start in earlier)
    return phrases


def _common(words: Sequence[str], start: int, position: int) -> int:
    """Length of the longest span at `position` that equals one from `start` ended by `position`."""
    length = MIN_LENGTH
    while start + length < position and position + length < len(words):
        if words[start + length] != words[position + length]:
            break
        length += 1
    return length


def of_totals(totals: np.ndarray) -> Repeated:
    """totals: (..., 2) summed `Counts`."""
    return Repeated(*np.moveaxis(np.asarray(totals, float), -1, 0))
