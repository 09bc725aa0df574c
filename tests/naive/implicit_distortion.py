"""Implicit distortion: where the attention has been tells where to go (after Feng et al. 2016, a reconstruction)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params, part
from .gru import gru
from .interface import Sentence
from .sizes import Shapes, Sizes, below, gru_shapes
from .term import Term


class ImplicitDistortion(Term):
    """p: V_g (A, H), gru.{W (3H, C), U (3H, H), b (3H)}; with recatt "context" V_g (A, C) alone.

    State: one vector, g_i (H) or c_{i-1} (C). recatt: "gru" g_i = GRU(c_{i-1}, g_{i-1}), "context" c_{i-1} itself.
    """

    way_out = ("V_g",)
    variations = ({"recatt": "context"},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        if options.get("recatt") == "context":
            return {"V_g": (z.A, z.C)}
        return {"V_g": (z.A, z.H)} | below("gru", gru_shapes(z.C, z.H))

    def __init__(self, p: Params, recatt: str = "gru") -> None:
        super().__init__(p)
        self.recurrent = (True, False)[("gru", "context").index(recatt)]

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.zeros(self.p["V_g"].shape[1])]
        self.c = np.zeros(len(sentence.h[0]))

    def prepare(self, i: int, s_prev: np.ndarray) -> None:
        self.state = [gru(self.c, self.state[0], part(self.p, "gru")) if self.recurrent else self.c]

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_g"] @ self.state[0]

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        self.c = c
