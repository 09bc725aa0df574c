"""Neural coverage without gates (Tu et al. 2016, Sec. 3.1.2)."""

import numpy as np

from .nn_coverage import NnCoverage


class NnCoverageTanh(NnCoverage):
    """p: V_a (A, D), U (D, D), p (D), A (D, C), B (D, H), b (D)."""

    gates = 1
    variations = ({"nn_coverage_state": "query"},)

    def covered(self, C_j: np.ndarray, alpha_ij: complex | float, h_j: np.ndarray, s: np.ndarray) -> np.ndarray:
        p = self.p
        return np.tanh(p["U"] @ C_j + p["p"] * alpha_ij + p["A"] @ h_j + p["B"] @ s + p["b"])
