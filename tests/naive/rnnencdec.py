"""RNN encoder-decoder with one fixed context and no attention (Cho et al. 2014)."""

from collections.abc import Sequence

import numpy as np

from . import Params, part
from .cell import Cell
from .encoder import forward
from .gru import gru_reset_before
from .term import Term


class RNNencdec(Cell):
    """params: enc_f.*, V, b_V, V_prime, b_V_prime, gru.{W, U, C, b}.

    rnnencdec_readout: which state the readout reads, "prev" s_{i-1} (GroundHog) or "cur" s_i (Cho et al.).
    """

    def __init__(self, params: Params, rnnencdec_readout: str = "prev") -> None:
        super().__init__(params)
        self.read = ("prev", "cur").index(rnnencdec_readout)

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        return forward(x, part(self.p, "enc_f"))

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        self.c = np.tanh(self.p["V"] @ h[-1] + self.p["b_V"])
        return np.tanh(self.p["V_prime"] @ self.c + self.p["b_V_prime"])

    def query(self, y: np.ndarray, s_prev: np.ndarray) -> np.ndarray:
        return s_prev

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[None, np.ndarray]:
        if terms:
            raise ValueError("rnnencdec has no attention that a term could enter")
        return None, self.c

    def advance(
        self, y: np.ndarray, s_prev: np.ndarray, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> np.ndarray:
        return gru_reset_before(y, s_prev, c, part(self.p, "gru"), candidate)

    def readout_state(self, s_prev: np.ndarray, s: np.ndarray) -> np.ndarray:
        return (s_prev, s)[self.read]
