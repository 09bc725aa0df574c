"""Coverage embeddings updated by a GRU (Mi et al. 2016, Sec. 3.1.1)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .coverage_embedding import CoverageEmbedding
from .gru import gru
from .sizes import Shapes, Sizes, gru_shapes


class CoverageEmbeddingGru(CoverageEmbedding):
    """p: K (V_x, D), V_c (A, D), W (3D, E), w_a (3D), U (3D, D), b (3D); the paper prints no b."""

    variations = (
        {"covemb_objective": "final", "covemb_gru_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_gru_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_norm": 1},
    )

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"K": (z.V_X, z.D), "V_c": (z.A, z.D), "w_a": (3 * z.D,)} | gru_shapes(z.E, z.D)

    def __init__(
        self,
        p: Params,
        covemb_objective: str = "none",
        covemb_norm: int = 2,
        covemb_gru_lambda: float = 1e-4,
    ) -> None:
        super().__init__(p, covemb_objective, covemb_norm, covemb_gru_lambda)

    def consumed(self, c_j: np.ndarray, alpha_j: complex | float, y: np.ndarray) -> np.ndarray:
        p = self.p
        W = np.column_stack([p["W"], p["w_a"]])
        return gru(np.concatenate([y, [alpha_j]]), c_j, {"W": W, "U": p["U"], "b": p["b"]})
