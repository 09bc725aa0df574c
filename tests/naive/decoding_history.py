"""Decoding-history enhanced attention: source and past decoder states, gated (Wang et al. 2018).

A reconstruction: of the paper only the abstract could be read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .attention import softmax
from .gru import sigmoid
from .rnnsearch_star import RNNsearchStar
from .sizes import Shapes, Sizes
from .term import Term


class DHEA(RNNsearchStar):
    """params: RNNsearch*'s with gru_2.W (3H, C + H) and L_c (R, C + H), and W_t (A, H), U_t (A, H), v_t (A),
    W_g (H, H), C_s (H, C), C_t (H, H), b_g (H), P (H, H).
    """

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        H, C = z.H, 2 * z.H
        result = {"gru_2.W": (3 * H, C + H), "L_c": (z.R, C + H), "W_t": (z.A, H), "U_t": (z.A, H), "v_t": (z.A,)}
        return result | {"W_g": (H, H), "C_s": (H, C), "C_t": (H, H), "b_g": (H,), "P": (H, H)}

    past: list[np.ndarray]  # s_1 … s_{i-1}

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        self.past = []
        return super().start(h)

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        """c_i = [c^s_i ; g_i * (P c^t_i)], g_i = sig(W_g q_i + C_s c^s_i + C_t c^t_i + b_g)."""
        if terms:
            raise ValueError("dhea takes no terms")
        p = self.p
        alpha, c_s = super().attend(q, h, ())
        c_t = self.target_context(q)
        g = sigmoid(p["W_g"] @ q + p["C_s"] @ c_s + p["C_t"] @ c_t + p["b_g"])
        return alpha, np.concatenate([c_s, g * (p["P"] @ c_t)])

    def target_context(self, q: np.ndarray) -> np.ndarray:
        """c^t_i (H) = sum_{k<i} beta_ik s_k, beta_i = softmax_k(v_t^T tanh(W_t q_i + U_t s_k)); 0 at the first step."""
        c_t = np.zeros(len(q))
        if not self.past:
            return c_t
        e = []
        for s_k in self.past:
            e.append(self.p["v_t"] @ np.tanh(self.p["W_t"] @ q + self.p["U_t"] @ s_k))
        beta = softmax(np.array(e))
        for k in range(len(self.past)):
            c_t = c_t + beta[k] * self.past[k]
        return c_t

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        self.past.append(s)
