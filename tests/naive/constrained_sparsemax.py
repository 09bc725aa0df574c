"""Constrained sparsemax: a source word is attended to as much as its fertility allows (Malaviya et al. 2018)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .extremes import maximum, minimum
from .gru import sigmoid
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term

TIE = 1e-13  # how near to 1 a sum of bounds is 1


def csparsemax(z: np.ndarray, u: np.ndarray) -> np.ndarray:
    """argmin_p |p - z|² over the simplex with p_j <= u_j (S), which is min([z_j - tau]_+, u_j).

    The u_j sum to 1 or more. p_j is u_j while tau is below low_j, then z_j - tau, and 0 from high_j on: between two of
    these bends the sum of all is linear in tau. Where the bounds that are met sum to 1, they are p for any tau.
    """
    low, high = (z - u).real, z.real
    start = low.min()
    for bend in [-np.inf, *sorted([*low, *high])]:
        full, free = bend < low, (low <= bend) & (bend < high)
        if not free.any() and abs(u[full].real.sum() - 1) < TIE:
            return np.where(full, u, 0.0)
        if np.clip(high - bend, 0, u.real).sum() >= 1:
            start = bend
    full, free = start < low, (low <= start) & (start < high)
    tau = (z[free].sum() + u[full].sum() - 1) / free.sum()
    return np.where(full, u, np.where(free, maximum(z - tau, 0.0), 0.0))


class ConstrainedSparsemax(Term):
    """p: none, or U_f (1, C) and b_f (1). State: used_j = sum_k alpha_kj (1).

    alpha_i = csparsemax(z_i; min(left_i, 1)), left_ij = max(f_j - used_j, 0), z_ij = e_ij + csparsemax_credit left_ij.
    csparsemax_fertility: f_j is csparsemax_limit ("constant"), or that times sig(U_f h_j + b_f) ("predicted"; Tu et al.
    2016 in the place of the paper's tagger). The last position, eos, is the paper's <SINK>: neither bounded nor helped.
    """

    normalises = True
    empty_at_first = False
    knows_places = True
    variations = ({"csparsemax_fertility": "predicted"}, {"csparsemax_limit": 1.0, "csparsemax_credit": 0.0})

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        predicted = options.get("csparsemax_fertility") == "predicted"
        return {"U_f": (1, z.C), "b_f": (1,)} if predicted else {}

    def __init__(
        self,
        p: Params,
        csparsemax_fertility: str = "constant",
        csparsemax_limit: float = 2.0,
        csparsemax_credit: float = 0.2,
    ) -> None:
        super().__init__(p)
        self.predicted = (False, True)[("constant", "predicted").index(csparsemax_fertility)]
        self.limit = csparsemax_limit
        self.c = csparsemax_credit

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.zeros(1) for _ in sentence.h]

    def f(self, j: int) -> complex | float:
        if not self.predicted:
            return self.limit
        return (self.limit * sigmoid(self.p["U_f"] @ self.sentence.h[j] + self.p["b_f"]))[0]

    def normalise(self, e: np.ndarray) -> np.ndarray:
        sink = len(e) - 1
        z, u = [], []
        for j in range(sink):
            left = maximum(self.f(j) - self.state[j][0], 0.0)
            z.append(e[j] + self.c * left)
            u.append(minimum(left, 1.0))
        return csparsemax(np.array([*z, e[sink]]), np.array([*u, 1.0]))

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.state[j] + alpha[j]
