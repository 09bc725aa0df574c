"""Implicit fertility: what is still to be said runs out (after Feng et al. 2016, a reconstruction)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .gru import sigmoid
from .interface import Sentence, Target
from .norm import l2
from .sizes import Shapes, Sizes
from .term import Term


class ImplicitFertility(Term):
    """p: W_d (H, C), b_d (H), W_x (H, E), U_x (H, H), C_x (H, C), b_x (H), V_d (H, H).

    State: one vector, d_i (H), at first tanh(W_d mean_j h_j + b_d). Loss: fertdec_eta |d_T|, none with 0.
    """

    way_out = ("V_d",)
    empty_at_first = False
    variations = ({"fertdec_eta": 0.5},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        gate = {"W_x": (z.H, z.E), "U_x": (z.H, z.H), "C_x": (z.H, z.C), "b_x": (z.H,)}
        return gate | {"W_d": (z.H, z.C), "b_d": (z.H,), "V_d": (z.H, z.H)}

    def __init__(self, p: Params, fertdec_eta: float = 0.0) -> None:
        super().__init__(p)
        self.eta = fertdec_eta

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        mean = sum(sentence.h) / len(sentence.h)
        self.state = [np.tanh(self.p["W_d"] @ mean + self.p["b_d"])]

    def candidate(self, y: np.ndarray, q: np.ndarray, c: np.ndarray) -> np.ndarray:
        p = self.p
        x = sigmoid(p["W_x"] @ y + p["U_x"] @ q + p["C_x"] @ c + p["b_x"])  # the extract gate
        self.state = [x * self.state[0]]  # d_i
        return p["V_d"] @ self.state[0]

    def loss(self, target: Target) -> complex | float | None:
        return self.eta * l2(self.state[0]) if self.eta else None
