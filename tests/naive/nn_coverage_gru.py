"""Neural coverage by a GRU (Tu et al. 2016, Sec. 3.1.2)."""

import numpy as np

from . import Params
from .gru import gru
from .nn_coverage import NnCoverage


class NnCoverageGru(NnCoverage):
    """p: V_a (A, D), U (3D, D), p (3D), A (3D, C), B (3D, H), b (3D).

    gru_reset_before: the reset gate scales the state, as in the authors' first code, instead of the product.
    """

    gates = 3
    variations = ({"nn_coverage_state": "query"}, {"gru_reset_before": True})

    def __init__(self, p: Params, nn_coverage_state: str = "prev", gru_reset_before: bool = False) -> None:
        super().__init__(p, nn_coverage_state)
        self.reset_before = gru_reset_before

    def covered(self, C_j: np.ndarray, alpha_ij: complex | float, h_j: np.ndarray, s: np.ndarray) -> np.ndarray:
        p = self.p
        u = np.concatenate([[alpha_ij], h_j, s])
        W = np.column_stack([p["p"], p["A"], p["B"]])
        return gru(u, C_j, {"W": W, "U": p["U"], "b": p["b"]}, reset_before=self.reset_before)
