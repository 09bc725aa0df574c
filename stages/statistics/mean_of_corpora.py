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

from scipy.special import chdtrc, ndtri

from stages.statistics.crossed import CONFIDENCE, Interval


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


class Heterogeneity(NamedTuple):
    """q: Cochran's; p: that independent differences with one true value lie so far apart."""

    q: float
    p: float


def heterogeneity(of: Sequence[Estimate]) -> Heterogeneity:
    """Of two independent differences or more. Without any spread p is 1 if they are equal and 0 if not.

    Raises:
        ValueError: there are fewer than two.
    """
    if len(of) < 2:
        raise ValueError("two differences at least can disagree")
    errors = [(one.interval.high - one.interval.low) / 2 / float(ndtri((1 + CONFIDENCE) / 2)) for one in of]
    if min(errors) == 0:
        same = len({one.difference for one in of}) == 1
        return Heterogeneity(0.0, 1.0) if same else Heterogeneity(math.inf, 0.0)
    weights = [1 / error**2 for error in errors]
    middle = sum(weight * one.difference for weight, one in zip(weights, of, strict=True)) / sum(weights)
    q = sum(weight * (one.difference - middle) ** 2 for weight, one in zip(weights, of, strict=True))
    return Heterogeneity(q, float(chdtrc(len(of) - 1, q)))
