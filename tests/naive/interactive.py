"""Interactive attention: the decoder writes into the annotations (Meng et al. 2016)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import Params
from .attention import softmax
from .gru import sigmoid
from .rnnsearch_star import RNNsearchStar
from .sizes import Shapes, Sizes
from .term import Term


class InteractiveAttention(RNNsearchStar):
    """params: RNNsearch*'s and W_F (C, H), b_F (C), W_U (C, H), b_U (C).

    ia_separate_write: write with weights of their own, from W_aw (A, H), U_aw (A, C), b_aw (A), v_w (A).
    """

    variations = ({"ia_separate_write": True},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        C = 2 * z.H
        result = {"W_F": (C, z.H), "b_F": (C,), "W_U": (C, z.H), "b_U": (C,)}
        if options.get("ia_separate_write"):
            result |= {"W_aw": (z.A, z.H), "U_aw": (z.A, C), "b_aw": (z.A,), "v_w": (z.A,)}
        return result

    memory: list[np.ndarray]  # h_j^{(i-1)}

    def __init__(self, params: Params, ia_separate_write: bool = False) -> None:
        super().__init__(params)
        self.separate_write = ia_separate_write

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        self.memory = list(h)  # h_j^{(0)}
        return super().start(h)

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        if terms:
            raise ValueError("interactive attention takes no terms")
        return super().attend(q, self.memory, ())  # READ

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        """WRITE: h_j^{(i)} = h_j^{(i-1)} * (1 - w_ij F_i) + w_ij U_i."""
        F = sigmoid(self.p["W_F"] @ s + self.p["b_F"])  # what is forgotten
        U = sigmoid(self.p["W_U"] @ s + self.p["b_U"])  # what is written
        w = self.write_weights(s) if self.separate_write else alpha
        for j in range(len(self.memory)):
            self.memory[j] = self.memory[j] * (1 - w[j] * F) + w[j] * U

    def write_weights(self, s: np.ndarray) -> np.ndarray:
        """w_i (S) = softmax_j(v_w^T tanh(W_aw s_i + U_aw h_j^{(i-1)} + b_aw))."""
        e = []
        for h_j in self.memory:
            e.append(self.p["v_w"] @ np.tanh(self.p["W_aw"] @ s + self.p["U_aw"] @ h_j + self.p["b_aw"]))
        return softmax(np.array(e))
