"""Samples of sentence pairs: drawn at random, and the same on every run and machine."""

import heapq
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from stages.corpora.parallel import Sentence, length

Pair = TypeVar("Pair")

CANDIDATES = 4
"""Of the first pass over a text, for each pair that is wanted of it: filters drop some."""


def draw(sentences: Iterable[Pair], count: int, purpose: str) -> list[Pair]:
    """`count` of `sentences` (all, if there are fewer), in their order; the same ones on every run and machine.

    One random number a sentence, seeded with `purpose`; the smallest win. A larger count therefore draws a superset.
    """
    numbers = random.Random(purpose)
    drawn = heapq.nsmallest(count, ((numbers.random(), k, pair) for k, pair in enumerate(sentences)))
    return [pair for _, _, pair in sorted(drawn, key=lambda entry: entry[1])]


def quotas(lengths: Iterable[int], count: int) -> dict[int, int]:
    """How many of `count` pairs have which length, so that they are spread as `lengths` are; they sum to `count`."""
    spread = Counter(lengths)
    found, below = {}, 0
    for size, of in sorted(spread.items()):
        found[size] = count * (below + of) // spread.total() - count * below // spread.total()
        below += of
    return found


def draw_by_length(sentences: Iterable[Sentence], wanted: Mapping[int, int], purpose: str) -> list[Sentence]:
    """`wanted[n]` of the `sentences` with n source words (all, if there are fewer), in their order; as `draw`."""
    numbers = random.Random(purpose)
    drawn: dict[int, list[tuple[float, int, Sentence]]] = defaultdict(list)
    for k, pair in enumerate(sentences):
        entry = (-numbers.random(), k, pair)  # the root of a heap is then the first to give way
        size = length(pair.source)
        if len(drawn[size]) < wanted.get(size, 0):
            heapq.heappush(drawn[size], entry)
        elif drawn[size]:
            heapq.heappushpop(drawn[size], entry)
    entries = [entry for of_length in drawn.values() for entry in of_length]
    return [pair for _, _, pair in sorted(entries, key=lambda entry: entry[1])]


def in_random_order(read: Callable[[], Iterable[Pair]], about: int, purpose: str) -> Iterator[tuple[int, Pair]]:
    """All pairs that `read` gives with their positions, in an order that is drawn; the same on every run and machine.

    Whoever takes them until `about` as many have passed gets those that `draw` would get of all that pass, without
    having looked at the rest. Holds few of them: all are read again, for twice as many, when these are used up.
    """
    given, held = 0, CANDIDATES * about
    while True:
        numbers = random.Random(purpose)
        first = heapq.nsmallest(held, ((numbers.random(), k, pair) for k, pair in enumerate(read())))
        yield from ((k, pair) for _, k, pair in first[given:])
        if len(first) < held:
            return
        given, held = held, 2 * held
