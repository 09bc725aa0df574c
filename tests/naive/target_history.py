"""Target history involved attention (Xue et al. 2019, Eqs. 15-18)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params, part
from .gru import gru
from .interface import Sentence
from .sizes import Shapes, Sizes, below, gru_shapes
from .term import Term


class TargetHistory(Term):
    """p: V_s (A, D), gru.{W (3D, H), U (3D, D), b (3D)}, L (R, D).

    target_history_state: what Eq. 15 hands out: "prev" s_{i-1} as printed, "query" the attention's query, "cur" s_i.
    """

    way_out = ("V_s", "L")
    variations = ({"target_history_state": "query"}, {"target_history_state": "cur"})

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"V_s": (z.A, z.D), "L": (z.wide, z.D)} | below("gru", gru_shapes(z.H, z.D))

    def __init__(self, p: Params, target_history_state: str = "prev") -> None:
        super().__init__(p)
        self.handed_out = ("prev", "query", "cur").index(target_history_state)

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        D = self.p["V_s"].shape[1]
        self.state = [np.zeros(D) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_s"] @ self.state[j]  # (17)

    def read(self, alpha: np.ndarray) -> np.ndarray:
        s_bar = 0.0
        for j in range(len(self.state)):
            s_bar = s_bar + alpha[j] * self.state[j]  # (18)
        return self.p["L"] @ s_bar

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            I_ij = alpha[j] * (s_prev, q, s)[self.handed_out]  # (15)
            self.state[j] = gru(I_ij, self.state[j], part(self.p, "gru"))  # (16)
