"""How far apart the trainings of one system lie, learnt from all systems of a study.

Two or three seeds say little of one system's spread: with its own variance alone Student's t has 2 to 4 degrees of
freedom, and the interval is half as wide again as it needs to be. The systems of a study differ in their attention and
are trained alike, so their variances are pooled, as those of laboratories are for the repeatability of a method
(ISO 5725-2:2019, 7.4):

    s^2 = sum_i d_i s_i^2 / sum_i d_i    with d_i = n_i - 1 degrees of freedom of system i

Not every system need be like the others. Outlying variances are left out of the pool by Cochran's (1941) test, in its
form for unequal d_i ('t Lam 2010): the system whose variance is the least likely beside the pool of the others goes if
that is less likely than `LEVEL` over the number of systems, and the next is looked for. And a system keeps its own
variance, with its own few degrees of freedom, if it is larger than `LEVEL` allows beside the pool.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc

LEVEL = 0.05


class Spread(NamedTuple):
    """variance: of the value of one training; df: degrees of freedom it is known with; pooled: it is that of a study's
    pool, so two systems have it from the same estimate. Arrays of one shape where there are many of a kind."""

    variance: np.ndarray | float
    df: float
    pooled: bool = False


class Pool(NamedTuple):
    """variance, df: pooled; members: which of the systems are in it, in their order."""

    variance: float
    df: float
    members: tuple[bool, ...]


def own_spread(values: np.ndarray) -> Spread:
    """Of the runs of one system, (..., R) values with R >= 2, by themselves."""
    return Spread(values.var(-1, ddof=1), values.shape[-1] - 1)


def pool(systems: Sequence[Spread]) -> Pool | None:
    """Of independent systems, each with its own spread; None of fewer than two, which have nothing to share."""
    if len(systems) < 2:
        return None
    members = list(range(len(systems)))
    while len(members) > 2:
        chances = [_chance(systems[k], _pooled([systems[j] for j in members if j != k])) for k in members]
        least = int(np.argmin(chances))
        if chances[least] >= LEVEL / len(members):
            break
        del members[least]
    found = _pooled([systems[k] for k in members])
    return Pool(float(found.variance), found.df, tuple(k in members for k in range(len(systems))))


def moderated(own: Spread, member: bool, study: Pool | None) -> Spread:
    """The pool's spread, or the system's own if that is larger than chance makes it.

    member: the system is in the pool, which is compared with it without it.
    """
    if study is None:
        return own
    squares, df = study.variance * study.df, study.df
    if member:
        squares, df = squares - float(own.variance) * own.df, df - own.df
    others = Spread(max(squares, 0.0) / df, df)
    return own if _chance(own, others) < LEVEL else Spread(study.variance, study.df, pooled=True)


def _pooled(systems: Sequence[Spread]) -> Spread:
    df = sum(one.df for one in systems)
    return Spread(sum(one.df * one.variance for one in systems) / df, df)


def _chance(own: Spread, others: Spread) -> float:
    """P of a variance so large or larger, if it is that of the others."""
    if own.variance <= others.variance:
        return 1.0
    return float(fdtrc(own.df, others.df, own.variance / others.variance)) if others.variance else 0.0
