"""Linguistic coverage with predicted fertility (Tu et al. 2016, Sec. 3.1.1)."""

from collections.abc import Mapping
from typing import Any

from . import Params
from .gru import sigmoid
from .linguistic_coverage import LinguisticCoverage
from .sizes import Shapes, Sizes


class LinguisticCoverageFertility(LinguisticCoverage):
    """p: V_a (A, 1), U_f (1, C), and with fertility_bias b_f (1), which the authors' later code has. State: C_j (1)."""

    variations = ({"linguistic_coverage_mode": "subtract"}, {"max_fertility": 3.0, "fertility_bias": True})

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        bias = {"b_f": (1,)} if options.get("fertility_bias") else {}
        return {"V_a": (z.A, 1), "U_f": (1, z.C)} | bias

    def __init__(
        self,
        p: Params,
        linguistic_coverage_mode: str = "add",
        max_fertility: float = 2.0,
        fertility_bias: bool = False,
    ) -> None:
        super().__init__(p, linguistic_coverage_mode)
        self.N = max_fertility
        self.b_f = p["b_f"] if fertility_bias else 0.0

    def phi(self, j: int) -> complex | float:
        return (self.N * sigmoid(self.p["U_f"] @ self.sentence.h[j] + self.b_f))[0]
