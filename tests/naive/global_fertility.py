"""Global fertility: a word's whole attention is normally distributed (Cohn et al. 2016, Sec. 3.4)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Target
from .sizes import Shapes, Sizes
from .term import Term


class GlobalFertility(Term):
    """p: W_h (H, C), b_h (H), w_mu (H), b_mu (1), w_v (H), b_v (1).

    Loss: fertility_lambda times the negative log-likelihood of f_j = sum_i alpha_ij, over the source without eos, and
    fertility_penalty times sum_j (f_j - 1)^2 over the same words (Xu et al. 2015).
    """

    only_a_loss = True
    variations = ({"fertility_lambda": 0.5, "fertility_penalty": 0.25},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        of_words = {"W_h": (z.H, z.C), "b_h": (z.H,)}
        return of_words | {"w_mu": (z.H,), "b_mu": (1,), "w_v": (z.H,), "b_v": (1,)}

    def __init__(self, p: Params, fertility_lambda: float = 1.0, fertility_penalty: float = 0.0) -> None:
        super().__init__(p)
        self.coefficient = fertility_lambda
        self.penalty = fertility_penalty

    def loss(self, target: Target) -> complex | float:
        p, total = self.p, 0.0
        f = target.alpha.sum(0)
        for j in range(len(f) - 1):
            hid = np.tanh(p["W_h"] @ self.sentence.h[j] + p["b_h"])
            mu = p["w_mu"] @ hid + p["b_mu"][0]
            var = np.exp(p["w_v"] @ hid + p["b_v"][0])
            surprise = (f[j] - mu) ** 2 / (2 * var) + np.log(2 * np.pi * var) / 2  # -log N(f_j; mu_j, var_j)
            total = total + self.coefficient * surprise + self.penalty * (f[j] - 1) ** 2
        return total
