"""Over the seeds of a system: mean, standard deviation, and whether two systems differ by more than their seeds do."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Literal, NamedTuple

Verdict = Literal["beyond seed noise", "inside seed noise", "one seed: unknown"]


class OverSeeds(NamedTuple):
    """sd: of a sample (n - 1), nan for one seed."""

    mean: float
    sd: float
    n: int


def over_seeds(values: Sequence[float]) -> OverSeeds:
    """One finite value a seed, at least one."""
    sd = stdev(values) if len(values) > 1 else math.nan
    return OverSeeds(fmean(values), sd, len(values))


def welch(system: OverSeeds, opponent: OverSeeds) -> float:
    """Two-sided p of Welch's (1947) t test: the seeds of two systems are independent trainings, each system with its
    own spread. nan if one has a single seed; without any spread 0 if the means differ and 1 if not."""
    if min(system.n, opponent.n) < 2:
        return math.nan
    mine, theirs = system.sd**2 / system.n, opponent.sd**2 / opponent.n
    if mine + theirs == 0:
        return float(system.mean == opponent.mean)
    t = (system.mean - opponent.mean) / math.sqrt(mine + theirs)
    df = (mine + theirs) ** 2 / (mine**2 / (system.n - 1) + theirs**2 / (opponent.n - 1))
    return t_test(t, df)


def verdict(p: float, level: float) -> Verdict:
    """What `welch` gave, in words."""
    if math.isnan(p):
        return "one seed: unknown"
    return "beyond seed noise" if p <= level else "inside seed noise"


def t_test(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's T with `df` > 0 degrees of freedom, not necessarily whole.

    It is I_x(df/2, 1/2) with x = df / (df + t^2), or 1 - I_{1-x}(1/2, df/2), whichever has the series that falls fast.
    """
    x, rest, a, b = df / (df + t * t), t * t / (df + t * t), df / 2, 0.5
    return _incomplete_beta(x, rest, a, b) if x <= (a + 1) / (a + b + 2) else 1 - _incomplete_beta(rest, x, b, a)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised I_x(a, b) = x^a (1-x)^b / (a B(a, b)) sum_n prod_{i<n} (a+b+i) / (a+1+i) x^n (DLMF 8.17.8).

    rest: 1 - x.
    """
    if x == 0:
        return 0.0
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    factor = math.exp(a * math.log(x) + b * math.log(rest) - log_beta) / a
    term, total, n = 1.0, 0.0, 0
    while total + term != total:
        total += term
        term *= (a + b + n) / (a + 1 + n) * x
        n += 1
    return factor * total
