"""The mean of independent differences, as of one claim on several corpora, with an interval from theirs alone.

By the method of variance estimates recovery (Howe 1974; Zou and Donner 2008): a limit of the mean lies as far from it
as the root of the sum of squares of the distances of all limits, divided by their number. It asks nothing of the
intervals but that each holds its difference, so reports whose intervals were found in different ways go together. The
mean is that of these corpora, each with the same weight; it is no guess at others.

Whether the corpora agree at all is asked by Cochran's (1954) Q. A half width over 1.96 stands for the standard error of
a difference: it is larger than the standard error where this is known from few seeds. With plain standard errors of 2
degrees of freedom three corpora that agree seem to disagree in 20 % of the draws, with these in 2 %.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.optimize import brentq
from scipy.special import chdtrc, ndtri, stdtrit

from stages.statistics.crossed import CONFIDENCE, Interval

LEAST = -690.0
"""Logarithm of a p that is taken for 0."""


class Estimate(NamedTuple):
    """A difference and the interval that holds it."""

    difference: float
    interval: Interval


def mean_of_corpora(of: Sequence[Estimate]) -> Estimate:
    """Of two independent differences or more, with an interval of their confidence.

    Raises:
        ValueError: there are fewer than two.
    """
    if len(of) < 2:
        raise ValueError("a mean needs two differences at least")
    mean = sum(one.difference for one in of) / len(of)
    below = math.hypot(*(one.difference - one.interval.low for one in of)) / len(of)
    above = math.hypot(*(one.interval.high - one.difference for one in of)) / len(of)
    return Estimate(mean, Interval(mean - below, mean + above))


class Measured(NamedTuple):
    """A difference with its standard error, and from how many degrees of freedom that is known."""

    difference: float
    error: float
    degrees: float


def p_of_mean(of: Sequence[Measured]) -> float:
    """Two-sided, that the mean of independent differences is 0: 1 less the confidence at which its interval reaches 0.

    Without any spread it is 1 if the mean is 0 and 0 if not.
    """
    distance = abs(sum(one.difference for one in of))
    if distance == 0 or all(one.error == 0 for one in of):
        return float(distance == 0)

    def beyond(log_p: float) -> float:
        half = (one.error * -float(stdtrit(one.degrees, math.exp(log_p) / 2)) for one in of)
        return math.hypot(*half) - distance

    return math.exp(brentq(beyond, LEAST, 0.0)) if beyond(LEAST) > 0 else 0.0


class Heterogeneity(NamedTuple):
    """q: Cochran's; p: that independent differences with one true value lie so far apart."""

    q: float
    p: float


def heterogeneity(of: Sequence[Estimate]) -> Heterogeneity:
    """Of two independent differences or more. One without any spread is what the others are held against; of several
    such ones p is 0 unless they are equal.

    Raises:
        ValueError: there are fewer than two.
    """
    if len(of) < 2:
        raise ValueError("two differences at least can disagree")
    errors = [(one.interval.high - one.interval.low) / 2 / float(ndtri((1 + CONFIDENCE) / 2)) for one in of]
    given = list(zip((one.difference for one in of), errors, strict=True))
    exact = {difference for difference, error in given if error == 0}
    if len(exact) > 1:
        return Heterogeneity(math.inf, 0.0)
    spread = [(difference, 1 / error**2) for difference, error in given if error > 0]
    middle = exact.pop() if exact else sum(d * weight for d, weight in spread) / sum(weight for _, weight in spread)
    q = sum(weight * (difference - middle) ** 2 for difference, weight in spread)
    return Heterogeneity(q, float(chdtrc(len(of) - 1, q)))
