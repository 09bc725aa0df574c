"""What a difference says of a claim, and how many seeds or sentences would make it say so."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from stages.statistics.crossed import Components, Interval, half_width

Verdict = Literal["agrees", "disagrees", "undecided"]

MOST_SEEDS, MOST_SENTENCES = 1_000, 10_000_000
"""More than these nobody has."""


class Needed(NamedTuple):
    """How many would decide, difference and spread staying as they are; None: no number of them."""

    seeds: int | None
    sentences: int | None


def verdict(of: Interval, claimed: Literal[1, -1]) -> Verdict:
    """of: the interval of the difference; claimed: its sign."""
    if of.low <= 0 <= of.high:
        return "undecided"
    return "agrees" if (of.low > 0) == (claimed > 0) else "disagrees"


def needed(of: Components, seeds: int, sentences: int) -> Needed:
    """Of an undecided difference that was found with so many seeds and sentences."""
    return Needed(
        _smallest(lambda n: _decided(projected(of, seeds, n / seeds, 1.0)), seeds, MOST_SEEDS),
        _smallest(lambda n: _decided(projected(of, seeds, 1.0, n / sentences)), sentences, MOST_SENTENCES),
    )


def projected(of: Components, seeds: int, more_seeds: float, more_sentences: float) -> Components:
    """The same difference and spread with so many times the seeds and sentences; seeds: of `of`.

    What seeds and sentences add by themselves shrinks with their own number, their interaction with both.
    """
    rest = of.interaction / (more_seeds * more_sentences)
    own_seeds = max(of.seeds - of.interaction, 0) / more_seeds
    own_sentences = max(of.sentences - of.interaction, 0) / more_sentences
    return Components(
        difference=of.difference,
        sentences=own_sentences + rest,
        seeds=own_seeds + rest,
        interaction=rest,
        df_sentences=(of.df_sentences + 1) * more_sentences - 1,
        df_seeds=of.df_seeds * (more_seeds * seeds - 1) / (seeds - 1),
    )


def _decided(of: Components) -> bool:
    return abs(float(of.difference)) > half_width(of)


def _smallest(decides: Callable[[int], bool], now: int, most: int) -> int | None:
    """The smallest number above `now` that decides."""
    if not decides(most):
        return None
    low, high = now, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high
