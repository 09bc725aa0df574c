"""Over the seeds of a system: mean, standard deviation, and whether two systems differ by more than their seeds do."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Literal, NamedTuple

from scipy.special import stdtr

Verdict = Literal["beyond seed noise", "inside seed noise", "one seed: unknown", "shared models: unknown"]


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


def paired(system: Sequence[float], opponent: Sequence[float]) -> float:
    """The same of Student's paired t test, of systems whose runs of one seed belong together: one is initialised from
    the other's, or both from a third's, or both decode with one model."""
    found = over_seeds([mine - theirs for mine, theirs in zip(system, opponent, strict=True)])
    if found.n < 2:
        return math.nan
    if found.sd == 0:
        return float(found.mean == 0)
    return t_test(found.mean / (found.sd / math.sqrt(found.n)), found.n - 1)


def verdict(p: float, level: float) -> Verdict:
    """What `welch` or `paired` gave, in words."""
    if math.isnan(p):
        return "one seed: unknown"
    return "beyond seed noise" if p <= level else "inside seed noise"


def t_test(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's T with `df` > 0 degrees of freedom, not necessarily whole."""
    return 2 * float(stdtr(df, -abs(t)))
