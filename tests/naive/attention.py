"""Additive attention (Bahdanau et al. 2015, Sec. 3.1; Xue et al. 2019, Eqs. 4-6 and 19)."""

from collections.abc import Callable, Sequence

import numpy as np

from .term import Term

Match = Callable[[np.ndarray, np.ndarray], np.ndarray]


def softmax(e: np.ndarray) -> np.ndarray:
    weights = np.exp(e - e.real.max())
    return weights / weights.sum()


def additive(
    q: np.ndarray, h: Sequence[np.ndarray], match: Match, v: np.ndarray, terms: Sequence[Term]
) -> tuple[np.ndarray, np.ndarray]:
    """alpha_i (S) and c_i (C) from e_ij = v^T tanh(match(q, h_j) + what each term adds).

    Raises ValueError where several terms would take the place of the softmax.
    """
    normalisers = [term.normalise for term in terms if term.normalises] or [softmax]
    if len(normalisers) > 1:
        raise ValueError(f"{len(normalisers)} terms take the place of the softmax: only one can")
    e = []
    for j in range(len(h)):
        inside = match(q, h[j])
        for term in terms:
            inside = inside + term.energy(j)
        e.append(v @ np.tanh(inside))
    alpha = normalisers[0](np.array(e))
    c = 0.0
    for j in range(len(h)):
        c = c + alpha[j] * h[j]
    return alpha, c
