"""The mean of independent differences, as of one claim on several corpora, with an interval from theirs alone.

By the method of variance estimates recovery (Howe 1974; Zou and Donner 2008): a limit of the mean lies as far from it
as the root of the sum of squares of the distances of all limits, divided by their number. It asks nothing of the
intervals but that each holds its difference, so reports whose intervals were found in different ways go together. The
mean is that of these corpora, each with the same weight; it is no guess at others.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from stages.statistics.crossed import Interval


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
