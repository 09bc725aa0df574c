"""Length and coverage penalty of GNMT: the rank of what a search has finished (Wu et al. 2016, Eq. 14)."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

LEAST = 1e-5
"""The attention that a source piece has at least: sparse attention can be 0. Files of translations round to it."""


class Scored(NamedTuple):
    """A finished hypothesis Y: log P(Y|X), |Y| in pieces, its end included, and p ``(|Y|, |X| + 1)`` or None."""

    log_probability: float
    length: int
    attention: Tensor | None


class Penalties(NamedTuple):
    """alpha: of the length, 0 for the power of |Y| instead; beta: of what is not covered, 0 for none."""

    alpha: float
    beta: float
    power: float


Hypothesis = TypeVar("Hypothesis")


def score(one: Scored, penalties: Penalties) -> float:
    """s(Y, X) = log P(Y|X) / lp(Y) + cp(X; Y).

    lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha, or |Y|^power without alpha; cp(X; Y) = beta sum_i log min(sum_j p_ij, 1)
    over the pieces i of the source without its end, which nothing need translate.
    """
    n = one.length
    total = one.log_probability / (((5 + n) / 6) ** penalties.alpha if penalties.alpha else n**penalties.power)
    if not penalties.beta:
        return total
    assert one.attention is not None  # `decoding.rank` refuses a system without
    covered = one.attention[:, :-1].double().sum(0).clamp(LEAST, 1)
    return total + penalties.beta * float(torch.log(covered).sum())


def ranked(
    hypotheses: Sequence[Hypothesis], scored: Sequence[Scored], penalties: Penalties
) -> list[tuple[Hypothesis, float]]:
    """``hypotheses`` with their scores, from the best on; of equals the one that stood first."""
    scores = [score(one, penalties) for one in scored]
    order = sorted(range(len(scores)), key=lambda k: -scores[k])
    return [(hypotheses[k], scores[k]) for k in order]
