"""Supervised attention: the weights shall be a given alignment (Mi et al. 2016a; Liu et al. 2016)."""

import numpy as np

from . import Params
from .interface import Target
from .term import Term

EPSILON = 1e-8  # inside the logarithms


def ce(alpha: np.ndarray, wanted: np.ndarray) -> complex | float:
    return -(wanted * np.log(alpha + EPSILON)).sum()


def mse(alpha: np.ndarray, wanted: np.ndarray) -> complex | float:
    return 0.5 * ((alpha - wanted) ** 2).sum()


def mul(alpha: np.ndarray, wanted: np.ndarray) -> complex | float:
    return -np.log((wanted * alpha).sum() + EPSILON)


class SupervisedAttention(Term):
    """No parameters. Loss: lambda sum_i of "ce", "mse" or "mul" between alpha_i and A*_i.

    A*_ij: what is linked with y_i, in equal shares (alignment_sigma 0), or a Gaussian of that width around each of its
    links, over all source positions; each row sums to 1. alignment_unaligned: a word without links is left out
    ("exclude") or takes over the row before ("inherit"; left out where there is none).
    """

    only_a_loss = True
    variations = (
        {"alignment_loss": "mse", "alignment_unaligned": "inherit"},
        {"alignment_loss": "mse", "alignment_sigma": 0.8},
        {"alignment_loss": "mul", "alignment_lambda": 0.3},
    )

    def __init__(
        self,
        p: Params,
        alignment_loss: str = "ce",
        alignment_lambda: float = 1.0,
        alignment_sigma: float = 0.0,
        alignment_unaligned: str = "exclude",
    ) -> None:
        super().__init__(p)
        self.of_row = {"ce": ce, "mse": mse, "mul": mul}[alignment_loss]
        self.coefficient = alignment_lambda
        self.sigma = alignment_sigma
        self.inherit = (False, True)[("exclude", "inherit").index(alignment_unaligned)]

    def loss(self, target: Target) -> complex | float:
        """Raises ValueError without links."""
        if target.links is None:
            raise ValueError("supervised_attention needs links")
        wanted, total = None, 0.0
        for alpha_i, links_i in zip(target.alpha, target.links, strict=True):
            if links_i.any():
                wanted = self.row(links_i)
            elif not self.inherit:
                continue
            if wanted is not None:
                total = total + self.of_row(alpha_i, wanted)
        return self.coefficient * total

    def row(self, links_i: np.ndarray) -> np.ndarray:
        """A*_i (S) from the links of y_i (S)."""
        S = len(links_i)
        spread = np.zeros(S)
        for linked in np.flatnonzero(links_i):
            for j in range(S):
                distance = j - linked
                if self.sigma:
                    spread[j] += np.exp(-(distance**2) / (2 * self.sigma**2))
                else:
                    spread[j] += distance == 0
        return spread / spread.sum()
