"""Location-aware attention: where it looked last, seen through learned filters (Chorowski et al. 2015, Eq. 8 and 9)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term


class LocationAware(Term):
    """f_i = F * alpha_{i-1}; e_ij gains U f_ij.

    p: U (A, k), F (k, r) with r = 2 location_window + 1, F's middle column on the word itself; k filters, so f_ij (k).
    location_accumulated: f_i gains G * (alpha_1 + … + alpha_{i-1}), G (k, r). State: alpha_{i-1,j} and that sum (2).
    """

    way_out = ("U",)
    knows_places = True
    variations = (
        {"location_window": 1},
        {"location_accumulated": True},
        {"location_window": 0, "location_accumulated": True},
    )

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        r = 2 * options.get("location_window", 5) + 1
        filters = {"F": (z.D, r)} | ({"G": (z.D, r)} if options.get("location_accumulated") else {})
        return {"U": (z.A, z.D)} | filters

    def __init__(self, p: Params, location_window: int = 5, location_accumulated: bool = False) -> None:
        super().__init__(p)
        self.n = location_window
        self.accumulated = location_accumulated

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.zeros(2) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        f = np.zeros(len(self.p["F"]))
        for offset in range(-self.n, self.n + 1):
            if 0 <= j + offset < len(self.state):
                last, total = self.state[j + offset]
                f = f + self.p["F"][:, self.n + offset] * last
                if self.accumulated:
                    f = f + self.p["G"][:, self.n + offset] * total
        return self.p["U"] @ f

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        for j in range(len(self.state)):
            self.state[j] = np.array([alpha[j], self.state[j][1] + alpha[j]])
