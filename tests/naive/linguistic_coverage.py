"""Linguistic coverage: how much attention a source word has had (Tu et al. 2016, Sec. 3.1.1)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term


class LinguisticCoverage(Term):
    """p: V_a (A, 1). State: C_j (1).

    linguistic_coverage_mode: "add" from 0 upwards, "subtract" from 1 downwards (the authors' code).
    """

    way_out = ("V_a",)
    variations = ({"linguistic_coverage_mode": "subtract"},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"V_a": (z.A, 1)}

    def __init__(self, p: Params, linguistic_coverage_mode: str = "add") -> None:
        super().__init__(p)
        self.first, self.sign = {"add": (0.0, 1.0), "subtract": (1.0, -1.0)}[linguistic_coverage_mode]
        self.empty_at_first = self.first == 0

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.array([self.first]) for _ in sentence.h]

    def phi(self, j: int) -> complex | float:
        """Phi_j, how many target words x_j is expected to yield."""
        return 1.0

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_a"] @ self.state[j]

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.state[j] + self.sign * alpha[j] / self.phi(j)
