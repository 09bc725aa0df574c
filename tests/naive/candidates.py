"""The softmax over a candidate list (Jean et al. 2015; Mi et al. 2016)."""

from collections.abc import Collection, Sequence

import numpy as np


def candidate_log_softmax(o: np.ndarray, candidates: Collection[int]) -> np.ndarray:
    """log p (V) of the softmax over the candidates alone: -inf for every other word.

    o (V): the logits; candidates: word ids, each counted once. Raises ValueError for none, or for no id of o.
    """
    ids = sorted(set(candidates))
    if not ids or ids[0] < 0 or ids[-1] >= len(o):
        raise ValueError(f"candidates must be ids from 0 to {len(o) - 1}, at least one: {ids}")
    shift = max(o[k].real for k in ids)
    total = 0.0
    for k in ids:
        total = total + np.exp(o[k] - shift)
    log_p = np.full(len(o), -np.inf, dtype=o.dtype)
    for k in ids:
        log_p[k] = o[k] - shift - np.log(total)
    return log_p


def candidate_log_likelihood(
    logits: np.ndarray, targets: Sequence[int], candidates: Collection[int]
) -> complex | float:
    """sum_i log p(y_i) among the candidates. logits (T, V), targets: y_1 … y_T.

    Raises ValueError for a target that is no candidate: in training the reference's words are always among them.
    """
    if missing := set(targets) - set(candidates):
        raise ValueError(f"targets that are no candidates: {sorted(missing)}")
    total = 0.0
    for o, y in zip(logits, targets, strict=True):
        total = total + candidate_log_softmax(o, candidates)[y]
    return total
