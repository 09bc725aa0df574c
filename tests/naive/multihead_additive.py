"""Several heads of additive attention (Chen et al. 2018; joined as in Vaswani et al. 2017, Sec. 3.2.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import Params
from .attention import softmax
from .rnnsearch_star import RNNsearchStar
from .sizes import Shapes, Sizes
from .term import Term


class MultiheadAdditive(RNNsearchStar):
    """c_i = [c^1_i; …; c^K_i], the heads' own, and nothing behind it; alpha_i is the mean of the heads' weights.

    params: RNNsearch*'s with W_a (KD, H), U_a (KD, C), b_a (KD), v (KD), and W_V (C, C), head below head.
    attention_heads: K, which divides C.
    """

    variations = ({"attention_heads": 2},)

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        wide, C = options.get("attention_heads", 4) * z.D, 2 * z.H
        return {"W_a": (wide, z.H), "U_a": (wide, C), "b_a": (wide,), "v": (wide,), "W_V": (C, C)}

    def __init__(self, params: Params, attention_heads: int = 4) -> None:
        super().__init__(params)
        self.K = attention_heads

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        if terms:
            raise ValueError("multihead_additive takes no terms")
        stacked = (np.split(self.p[name], self.K) for name in ("W_a", "U_a", "b_a", "v", "W_V"))
        alpha, c = 0.0, []
        for W_a, U_a, b_a, v, W_V in zip(*stacked, strict=True):
            e = []
            for h_j in h:
                e.append(v @ np.tanh(W_a @ q + U_a @ h_j + b_a))
            alpha_k, c_k = softmax(np.array(e)), 0.0
            for j in range(len(h)):
                c_k = c_k + alpha_k[j] * (W_V @ h[j])
            alpha = alpha + alpha_k / self.K
            c.append(c_k)
        return alpha, np.concatenate(c)
