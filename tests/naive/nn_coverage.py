"""What both neural coverages have in common (Tu et al. 2016, Sec. 3.1.2)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term


class NnCoverage(Term):
    """p: V_a (A, D), and the four inputs' U, p, A, B. State: C_j (D), 0 at first.

    nn_coverage_state: which state the update sees, "prev" s_{i-1} or "query" the attention's query.
    """

    only_a_base = True
    way_out = ("V_a",)
    gates: int

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        G = cls.gates * z.D
        return {"V_a": (z.A, z.D), "U": (G, z.D), "p": (G,), "A": (G, z.C), "B": (G, z.H), "b": (G,)}

    def __init__(self, p: Params, nn_coverage_state: str = "prev") -> None:
        super().__init__(p)
        self.seen = ("prev", "query").index(nn_coverage_state)

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        D = self.p["V_a"].shape[1]
        self.state = [np.zeros(D) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_a"] @ self.state[j]

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.covered(self.state[j], alpha[j], self.sentence.h[j], (s_prev, q)[self.seen])

    def covered(self, C_j: np.ndarray, alpha_ij: complex | float, h_j: np.ndarray, s: np.ndarray) -> np.ndarray:
        """C_ij from C_{i-1,j}."""
        raise NotImplementedError
