"""RNNsearch, decoder D1 (Bahdanau et al. 2015, appendix A.2)."""

from collections.abc import Sequence

import numpy as np

from . import part
from .attention import additive
from .cell import Cell
from .encoder import bidirectional
from .gru import gru_reset_before
from .term import Term


class RNNsearch(Cell):
    """params: enc_f.*, enc_b.*, W_s (H, H), b_s, W_a (A, H), U_a (A, 2H), v (A), gru.{W, U, C, b}."""

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        return bidirectional(x, self.p)

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        W_s, b_s = self.p["W_s"], self.p["b_s"]
        H = W_s.shape[1]
        hb_1 = h[0][H : 2 * H]  # the backward state at the first position
        return np.tanh(W_s @ hb_1 + b_s)

    def query(self, y: np.ndarray, s_prev: np.ndarray) -> np.ndarray:
        return s_prev

    def match(self, q: np.ndarray, h_j: np.ndarray) -> np.ndarray:
        return self.p["W_a"] @ q + self.p["U_a"] @ h_j

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        return additive(q, h, self.match, self.p["v"], terms)

    def advance(
        self, y: np.ndarray, s_prev: np.ndarray, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> np.ndarray:
        return gru_reset_before(y, s_prev, c, part(self.p, "gru"), candidate)

    def readout_state(self, s_prev: np.ndarray, s: np.ndarray) -> np.ndarray:
        return s_prev  # t~_i = U_o s_{i-1} + V_o E_y(y_{i-1}) + C_o c_i
