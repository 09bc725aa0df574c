"""Source history involved attention (Xue et al. 2019, Eqs. 11-14)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import part
from .gru import gru
from .interface import Sentence
from .sizes import Shapes, Sizes, below, gru_shapes
from .term import Term


class SourceHistory(Term):
    """p: V_h (A, D), gru.{W (3D, C), U (3D, D), b (3D)}, L (R, D)."""

    way_out = ("V_h", "L")

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"V_h": (z.A, z.D), "L": (z.wide, z.D)} | below("gru", gru_shapes(z.C, z.D))

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        D = self.p["V_h"].shape[1]
        self.state = [np.zeros(D) for _ in sentence.h]  # "initialize ~h_j^0 with 0"

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_h"] @ self.state[j]  # (11)

    def read(self, alpha: np.ndarray) -> np.ndarray:
        h_bar = 0.0
        for j in range(len(self.state)):
            h_bar = h_bar + alpha[j] * self.state[j]  # (14)
        return self.p["L"] @ h_bar

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            I_ij = alpha[j] * self.sentence.h[j]  # (12)
            self.state[j] = gru(I_ij, self.state[j], part(self.p, "gru"))  # (13)
