"""Local fertility: all attention so far around a word (Cohn et al. 2016, Sec. 3.3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term
from .window import window


class LocalFertilityBias(Term):
    """p: W_f (A, 2k+1). State: sum_{k<i} alpha_kj (1), 0 at first. cohn_window: k."""

    way_out = ("W_f",)
    knows_places = True
    variations = ({"cohn_window": 0},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"W_f": (z.A, 2 * options.get("cohn_window", 1) + 1)}

    def __init__(self, p: Params, cohn_window: int = 1) -> None:
        super().__init__(p)
        self.k = cohn_window

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.zeros(1) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        return self.p["W_f"] @ window([a[0] for a in self.state], j, self.k)

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = self.state[j] + alpha[j]
