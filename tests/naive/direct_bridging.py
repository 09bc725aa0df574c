"""Direct bridging: a map from the attended word's embedding to the target word's (Kuang et al. 2018, Sec. 3.3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import Params
from .interface import Target
from .sizes import Shapes, Sizes
from .term import Term


class DirectBridging(Term):
    """p: W (E, E). Loss: lambda sum_i |W E_x(x_{t*}) - E_y(y_i)|^2, t* = argmax_j alpha_ij.

    bridge_soft: sum_j alpha_ij E_x(x_j) in the place of E_x(x_{t*}). bridge_stopgrad: what learns nothing from the
    loss: "none", "target" E_y(y_i), "source" all that W is applied to. For a complex step that is: its real part.
    """

    only_a_loss = True
    variations = ({"bridge_soft": True}, {"bridge_lambda": 0.5})

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"W": (z.E, z.E)}

    def __init__(
        self, p: Params, bridge_stopgrad: str = "none", bridge_soft: bool = False, bridge_lambda: float = 1.0
    ) -> None:
        super().__init__(p)
        self.stop = {"none": (False, False), "source": (True, False), "target": (False, True)}[bridge_stopgrad]
        self.soft = bridge_soft
        self.coefficient = bridge_lambda

    def loss(self, target: Target) -> complex | float:
        stop_source, stop_target = self.stop
        total = 0.0
        for alpha_i, y in zip(target.alpha, target.y, strict=True):
            attended = self.attended(alpha_i)
            away = self.p["W"] @ (attended.real if stop_source else attended) - (y.real if stop_target else y)
            total = total + (away * away).sum()
        return self.coefficient * total

    def attended(self, alpha: np.ndarray) -> np.ndarray:
        x = self.sentence.x
        if not self.soft:
            return x[np.argmax(alpha.real)]
        mean = 0.0
        for j in range(len(x)):
            mean = mean + alpha[j] * x[j]
        return mean
