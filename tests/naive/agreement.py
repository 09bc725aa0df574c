"""Agreement of the two translation directions, trained jointly (Cohn et al. 2016)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import Params, part
from .interface import System
from .system import log_likelihood, run


class Agreement(NamedTuple):
    """Of one sentence pair, natural logarithms, over real tokens and eos."""

    forward: complex | float  # NLL(t|s)
    reverse: complex | float  # NLL(s|t)
    bonus: complex | float  # B
    loss: complex | float  # NLL(t|s) + NLL(s|t) - gamma B


def bonus(forward: np.ndarray, reverse: np.ndarray) -> complex | float:
    """B = sum_i sum_j alpha^{s2t}_ij alpha^{t2s}_ji, the trace of the product. forward (T, S), reverse (S, T)."""
    T, S = forward.shape
    if reverse.shape != (S, T):
        raise ValueError(f"weights of shape {reverse.shape}: the reversed direction needs {(S, T)}")
    B = 0.0
    for i in range(T):
        for j in range(S):
            B = B + forward[i, j] * reverse[j, i]
    return B


def agreement(
    system: System, params: Params, source_ids: Sequence[int], target_ids: Sequence[int], gamma: float = 1.0
) -> Agreement:
    """Both directions are the same kind of system; the parameters of t2s have the prefix `reverse.`.

    source_ids: x_1 … x_S, target_ids: y_1 … y_T, both eos last. gamma: the paper's 1 (mantis: 0.1).
    """
    s2t = run(system, params, source_ids, eos_first(target_ids))
    t2s = run(system, part(params, "reverse"), target_ids, eos_first(source_ids))
    if s2t.weights is None:
        raise ValueError(f"{system.cell} has no attention to agree on")
    forward = -log_likelihood(s2t.logits, target_ids)
    reverse = -log_likelihood(t2s.logits, source_ids)
    B = bonus(s2t.weights, t2s.weights)
    return Agreement(forward, reverse, B, forward + reverse - gamma * B)


def eos_first(ids: Sequence[int]) -> list[int]:
    """What the decoder has seen before each word (fairseq's prev_output_tokens)."""
    return [ids[-1], *ids[:-1]]
