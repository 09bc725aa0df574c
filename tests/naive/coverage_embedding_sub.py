"""Coverage embeddings updated by subtraction (Mi et al. 2016, Eq. 5)."""

import numpy as np

from . import Params
from .coverage_embedding import CoverageEmbedding


class CoverageEmbeddingSub(CoverageEmbedding):
    """p: K (V_x, D), V_c (A, D), W_yc (D, E)."""

    def __init__(
        self,
        p: Params,
        covemb_objective: str = "none",
        covemb_norm: int = 2,
        covemb_sub_lambda: float = 1e-2,
    ) -> None:
        super().__init__(p, covemb_objective, covemb_norm, covemb_sub_lambda)

    def consumed(self, c_j: np.ndarray, alpha_j: complex | float, y: np.ndarray) -> np.ndarray:
        return c_j - alpha_j * (self.p["W_yc"] @ y)  # (5)
