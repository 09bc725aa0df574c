"""What a difference says of a claim, and how many seeds or sentences would make it say more."""

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

from scipy.special import nctdtr, stdtrit

from stages.statistics.crossed import CONFIDENCE, Components, Interval, degrees_of_freedom, variance

Verdict = Literal[
    "agrees, smaller than printed",
    "agrees",
    "no difference above m",
    "undecided, printed gain excluded",
    "undecided",
    "disagrees",
]
PrintedGain = Literal["possible", "excluded"]

EQUIVALENCE = 0.90
"""Confidence of the interval of two one-sided tests of .05 each (Schuirmann 1987)."""
POWER = 0.80
MOST_SEEDS, MOST_SENTENCES = 20, 100_000
"""More trainings of one system nobody pays for, and more sentences no test set of these corpora can have."""


class Found(NamedTuple):
    """Of one difference: its 95 % interval, and the one of `EQUIVALENCE`."""

    wide: Interval
    narrow: Interval


class Needed(NamedTuple):
    """How many would decide with `POWER`, difference and spread staying as they are; None: no number of them."""

    seeds: int | None
    sentences: int | None


def printed_gain(of: Interval, printed: float) -> PrintedGain:
    """Whether a gain as large as the paper's is possible here: excluded if all of the interval lies below it.

    printed: the paper's difference, whose sign is the one claimed; a larger difference here leaves it possible.
    """
    most = of.high if printed > 0 else -of.low
    return "excluded" if abs(printed) > most else "possible"


def below(of: Interval, margin: float) -> bool:
    """Whether the interval lies within ± the margin; of that of `EQUIVALENCE` it is two one-sided tests."""
    return -margin < of.low and of.high < margin


def verdict(of: Found, claimed: Literal[1, -1], margin: float, printed: float | None = None) -> Verdict:
    """claimed: the sign of the difference; margin: the largest that does not matter; printed: the paper's, if any."""
    excluded = printed is not None and printed_gain(of.wide, printed) == "excluded"
    if not of.wide.low <= 0 <= of.wide.high:
        if (of.wide.low > 0) != (claimed > 0):
            return "disagrees"
        return "agrees, smaller than printed" if excluded else "agrees"
    if below(of.narrow, margin):
        return "no difference above m"
    return "undecided, printed gain excluded" if excluded else "undecided"


def no_difference(of: Found, margin: float, higher_too: bool) -> Verdict:
    """Of a claim that a difference does not matter: that it lies within ± the margin or, with `higher_too`, above
    minus the margin. "agrees" is two one-sided tests of .05 each, or one; "disagrees": all of the 95 % interval is
    outside."""
    if below(of.narrow, margin) or (higher_too and of.narrow.low > -margin):
        return "agrees"
    if of.wide.high < -margin or (of.wide.low > margin and not higher_too):
        return "disagrees"
    return "undecided"


def needed(
    of: Components, seeds: int, sentences: int, systems: int, chance: Callable[[Components], float] | None = None
) -> Needed:
    """Of an undecided difference of so many systems that was found with so many seeds of each and sentences.

    chance: that another study decides; that of `power` unless given.
    """
    decides = chance or power
    return Needed(
        _smallest(lambda n: decides(more_seeds(of, seeds, n, systems)), seeds, MOST_SEEDS),
        _smallest(lambda n: decides(more_sentences(of, n / sentences)), sentences, MOST_SENTENCES),
    )


def power(of: Components) -> float:
    """Chance that the 95 % interval of another study leaves out 0, on the side of the difference, if that is the true
    one: of Student's t that is not central."""
    return _beyond(of, abs(float(of.difference)), CONFIDENCE)


def power_of_no_difference(of: Components, margin: float, higher_too: bool) -> float:
    """Chance that another study agrees or disagrees by `no_difference`, if the difference is the true one. That both
    of two tests succeed is counted at its least, by Bonferroni's inequality."""
    difference = float(of.difference)
    above, below_most = (_beyond(of, margin + sign * difference, EQUIVALENCE) for sign in (1, -1))
    agrees = above if higher_too else max(0.0, above + below_most - 1)
    outside = -difference - margin if higher_too else abs(difference) - margin
    return agrees + (_beyond(of, outside, CONFIDENCE) if outside > 0 else 0.0)


def _beyond(of: Components, distance: float, confidence: float) -> float:
    """Chance that an interval of this confidence, around an estimate at this distance from a bound, leaves it out."""
    error, df = math.sqrt(float(variance(of))), degrees_of_freedom(of)
    if error == 0:
        return float(distance > 0)
    within = float(nctdtr(df, distance / error, float(stdtrit(df, (1 + confidence) / 2))))
    return 1.0 if math.isnan(within) else 1 - within  # scipy's is NaN here and there where it is below 1e-200


def more_seeds(of: Components, seeds: int, wanted: int, systems: int) -> Components:
    """The same difference and spread with `wanted` seeds of each of so many systems, which alone are trained more.

    What seeds add by themselves and their interaction with sentences shrink with their number.
    """
    more = wanted / seeds
    own, rest = max(of.seeds - of.interaction, 0) / more, of.interaction / more
    return of._replace(
        sentences=max(of.sentences - of.interaction, 0) + rest,
        seeds=own + rest,
        interaction=rest,
        df_seeds=of.df_seeds + systems * (wanted - seeds),
    )


def more_sentences(of: Components, more: float) -> Components:
    """The same difference and spread with so many times the sentences."""
    rest = of.interaction / more
    return of._replace(
        sentences=max(of.sentences - of.interaction, 0) / more + rest,
        seeds=max(of.seeds - of.interaction, 0) + rest,
        interaction=rest,
        df_sentences=(of.df_sentences + 1) * more - 1,
    )


def _smallest(chance: Callable[[int], float], now: int, most: int) -> int | None:
    """The smallest number above `now` with which the chance is `POWER`."""
    if now >= most or chance(most) < POWER:
        return None
    low, high = now, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= POWER else (middle, high)
    return high
