"""Coverage embeddings updated by subtraction (Mi et al. 2016, Eq. 5)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .coverage_embedding import CoverageEmbedding
from .sizes import Shapes, Sizes


class CoverageEmbeddingSub(CoverageEmbedding):
    """p: K (V_x, D), V_c (A, D), W_yc (D, E)."""

    variations = (
        {"covemb_objective": "final", "covemb_sub_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_norm": 1},
    )

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"K": (z.V_X, z.D), "V_c": (z.A, z.D), "W_yc": (z.D, z.E)}

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
