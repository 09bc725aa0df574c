"""Sparsemax in the place of the softmax (Martins & Astudillo 2016, Eq. 2, Proposition 1, Algorithm 1)."""

import numpy as np

from .extremes import maximum
from .term import Term


def sparsemax(z: np.ndarray) -> np.ndarray:
    """argmin_p |p - z|² over the simplex (S), which is [z_j - tau]_+."""
    in_order = z[np.argsort(-z.real)]
    for k in range(1, len(z) + 1):
        if 1 + k * in_order[k - 1].real > in_order[:k].real.sum():
            support = in_order[:k]
    tau = (support.sum() - 1) / len(support)
    return maximum(z - tau, 0.0)


class Sparsemax(Term):
    """No parameters. alpha_i = sparsemax(e_i)."""

    normalises = True
    empty_at_first = False

    def normalise(self, e: np.ndarray) -> np.ndarray:
        return sparsemax(e)
