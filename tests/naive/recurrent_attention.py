"""Recurrent attention: an LSTM over the attention around each word (Yang et al. 2016)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Sentence
from .lstm import lstm
from .sizes import Shapes, Sizes
from .term import Term
from .window import window


class RecurrentAttention(Term):
    """p: V_d (A, D), W (4D, 2k+1), U (4D, D), b (4D), and with memory_in_context L (R, D). State: d_j (D), 0 at first.

    recurrent_attention_window: k. memory_in_context: sum_j alpha_ij d_{i-1,j} enters the recurrence and the readout.
    """

    way_out = ("V_d", "L")
    knows_places = True
    variations = (
        {"recurrent_attention_window": 1},
        {"memory_in_context": True},
        {"recurrent_attention_window": 2, "memory_in_context": True},
    )

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        k = options.get("recurrent_attention_window", 5)
        lstm = {"V_d": (z.A, z.D), "W": (4 * z.D, 2 * k + 1), "U": (4 * z.D, z.D), "b": (4 * z.D,)}
        return lstm | ({"L": (z.wide, z.D)} if options.get("memory_in_context") else {})

    @classmethod
    def extra_width(cls, z: Sizes, options: Mapping[str, Any]) -> int:
        return z.D if options.get("memory_in_context") else 0

    def __init__(self, p: Params, recurrent_attention_window: int = 5, memory_in_context: bool = False) -> None:
        super().__init__(p)
        self.k = recurrent_attention_window
        self.in_context = memory_in_context

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        D = self.p["V_d"].shape[1]
        self.state = [np.zeros(D) for _ in sentence.h]
        self.m = [np.zeros(D) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        return self.p["V_d"] @ self.state[j]

    def read(self, alpha: np.ndarray) -> np.ndarray | float:
        return self.p["L"] @ self.attended(alpha) if self.in_context else 0.0

    def extra(self, alpha: np.ndarray) -> np.ndarray:
        return self.attended(alpha) if self.in_context else np.zeros(0)

    def attended(self, alpha: np.ndarray) -> np.ndarray:
        mean = 0.0
        for j in range(len(self.state)):
            mean = mean + alpha[j] * self.state[j]
        return mean

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j], self.m[j] = lstm(window(alpha, j, self.k), self.state[j], self.m[j], self.p)
