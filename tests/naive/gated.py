"""GRU-gated attention: every annotation is refined by the decoder's state before it is attended (Zhang et al. 2017)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import Params, part
from .gru import gru
from .rnnsearch_star import RNNsearchStar
from .sizes import Shapes, Sizes, below, gru_shapes
from .term import Term


class GAtt(RNNsearchStar):
    """h^g_ij = GRU(u = s_{i-1}, h = h_j) takes the place of h_j in the energies and in c_i, anew at every step.

    params: RNNsearch*'s and gru.{W (3C, H), U (3C, C), b (3C)}.
    gatt_state: which state refines, "prev" s_{i-1} as in the paper or "query" the attention's query;
    gru_reset_before: the paper's form of the cell, with the reset gate on the state.
    """

    variations = ({"gatt_state": "query", "gru_reset_before": True}, {"gru_reset_before": True})

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return below("gru", gru_shapes(z.H, 2 * z.H))

    def __init__(self, params: Params, gatt_state: str = "prev", gru_reset_before: bool = False) -> None:
        super().__init__(params)
        self.state = ("prev", "query").index(gatt_state)
        self.gru_reset_before = gru_reset_before

    def start(self, h: Sequence[np.ndarray]) -> np.ndarray:
        self.s_prev = super().start(h)  # from the unrefined annotations
        return self.s_prev

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        if terms:
            raise ValueError("gated attention takes no terms")
        s = (self.s_prev, q)[self.state]
        refined = []
        for h_j in h:
            refined.append(self.refine(h_j, s))
        return super().attend(q, refined, ())

    def refine(self, h_j: np.ndarray, s: np.ndarray) -> np.ndarray:
        return gru(s, h_j, part(self.p, "gru"), reset_before=self.gru_reset_before)

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: np.ndarray, q: np.ndarray, s: np.ndarray) -> None:
        self.s_prev = s


class GAttInv(GAtt):
    """GAtt-Inv: h^g_ij = GRU(u = h_j, h = s_{i-1}), so contexts are H wide.

    params: RNNsearch*'s with U_a (A, H), gru_2.W (3H, H), L_c (R, H), and gru.{W (3H, C), U (3H, H), b (3H)}.
    """

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        narrow = {"U_a": (z.A, z.H), "gru_2.W": (3 * z.H, z.H), "L_c": (z.R, z.H)}
        return below("gru", gru_shapes(2 * z.H, z.H)) | narrow

    def refine(self, h_j: np.ndarray, s: np.ndarray) -> np.ndarray:
        return gru(h_j, s, part(self.p, "gru"), reset_before=self.gru_reset_before)
