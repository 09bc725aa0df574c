"""Entmax with alpha = 1.5 in the place of the softmax (Peters et al. 2019, Sec. 3.3, Algorithm 2)."""

import numpy as np

from .extremes import maximum
from .term import Term


def entmax15(z: np.ndarray) -> np.ndarray:
    """[z_j / 2 - tau]_+^2 (S), with the tau for which they sum to 1.

    The support is the largest that lies above the tau which solves its own quadratic equation.
    """
    in_order = z[np.argsort(-z.real)] / 2
    for k in range(1, len(z) + 1):
        mean = in_order[:k].mean()
        left = 1 - ((in_order[:k] - mean) ** 2).sum()  # k (mean - tau)^2
        if left.real >= 0 and (root := mean - np.sqrt(left / k)).real < in_order[k - 1].real:
            tau = root
    return maximum(z / 2 - tau, 0.0) ** 2


class Entmax15(Term):
    """No parameters. alpha_i = entmax15(e_i)."""

    normalises = True
    empty_at_first = False

    def normalise(self, e: np.ndarray) -> np.ndarray:
        return entmax15(e)
