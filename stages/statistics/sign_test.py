"""The sign test of Collins, Koehn & Kucerova (2005, section 5.4), used by Xue et al. (2019) and Mi et al. (2016).

The system's translation of sentence k takes the place of the baseline's, and the baseline's corpus score is computed
again: sentence k is better if it rises, worse if it falls. Ties are dropped.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

from stages.statistics.resampling import SAME, Run, Value


class Signs(NamedTuple):
    better: int
    worse: int
    ties: int


def signs(system: Run, baseline: Run, value: Value) -> Signs:
    """Sentences that raise and lower the baseline's value (of which more is better) when they come from the system.

    Rows: (N, K_g) for each group, of one run each. Rounding makes no sign: a change must be above `SAME`.

    Raises:
        ValueError: the runs differ in sentences or columns.
    """
    if [group.shape for group in system] != [group.shape for group in baseline]:
        raise ValueError("rows of system and baseline differ in sentences or columns")
    totals = [group.sum(0, dtype=float) for group in baseline]
    replaced = [total + (new - old) for total, new, old in zip(totals, system, baseline, strict=True)]
    change = value(*replaced) - value(*totals)
    better, worse = int(np.count_nonzero(change > SAME)), int(np.count_nonzero(change < -SAME))
    return Signs(better, worse, len(change) - better - worse)


def sign_test(better: int, worse: int) -> float:
    """Exact two-sided p = 2 sum_{i >= max(b, w)} C(n, i) / 2^n with n = b + w, at most 1; 1 without a sentence."""
    return min(1.0, 2 * float(bdtr(min(better, worse), better + worse, 0.5)))


def normal_interval(better: int, worse: int, confidence: float) -> tuple[float, float]:
    """Interval of b / (b + w) that the script of Xue et al.'s group (ICT) holds against .5; nan without a sentence.

    It is too narrow for few sentences (60 to 40 leaves out .5, yet p = .0569): claim by `sign_test`.
    """
    n = better + worse
    if n == 0:
        return float("nan"), float("nan")
    share = better / n
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(share * (1 - share) / n)
    return share - half, share + half
