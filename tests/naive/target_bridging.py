"""Target-side bridging: the most attended word's embedding enters the decoder (Kuang et al. 2018, Sec. 3.2)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .sizes import Sizes
from .term import Term


class TargetBridging(Term):
    """No parameters: s_i = GRU_2([c_i ; E_x(x_{t*})], s'_i), t* = argmax_j alpha_ij."""

    empty_at_first = False

    @classmethod
    def extra_width(cls, z: Sizes, options: Mapping[str, Any]) -> int:
        return z.E

    def extra(self, alpha: np.ndarray) -> np.ndarray:
        return self.sentence.x[np.argmax(alpha.real)]  # the first of equal weights; the choice has no gradient
