"""RNNsearch*, decoder D2: the conditional GRU of dl4mt, the base of Xue et al. 2019 and Kuang et al. 2018."""

from collections.abc import Sequence

import numpy as np

from . import part
from .attention import additive
from .cell import Cell
from .encoder import bidirectional
from .gru import gru
from .term import Term


class RNNsearchStar(Cell):
    """params: enc_f.*, enc_b.*, W_init (H, 2H), b_init, gru_1.*, W_a (A, H), U_a (A, 2H), b_a (A), v (A), gru_2.*."""

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        return bidirectional(x, self.p)

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        mean = sum(h) / len(h)
        return np.tanh(self.p["W_init"] @ mean + self.p["b_init"])

    def query(self, y: np.ndarray, s_prev: np.ndarray) -> np.ndarray:
        return gru(y, s_prev, part(self.p, "gru_1"))  # s'_i

    def match(self, q: np.ndarray, h_j: np.ndarray) -> np.ndarray:
        return self.p["W_a"] @ q + self.p["U_a"] @ h_j + self.p["b_a"]

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        return additive(q, h, self.match, self.p["v"], terms)

    def advance(
        self, y: np.ndarray, s_prev: np.ndarray, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> np.ndarray:
        return gru(c, q, part(self.p, "gru_2"), candidate)  # s_i, from s'_i

    def readout_state(self, s_prev: np.ndarray, s: np.ndarray) -> np.ndarray:
        return s
