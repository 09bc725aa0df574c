"""Position bias (Cohn et al. 2016, Sec. 3.1)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .sizes import Shapes, Sizes
from .term import Term


class PositionBias(Term):
    """p: W_p (A, 3), on psi_ij = [log(1+i), log(1+j), log(1+S)]; i, j count from 1, S includes eos."""

    way_out = ("W_p",)
    empty_at_first = False
    knows_places = True

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {"W_p": (z.A, 3)}

    def prepare(self, i: int, s_prev: np.ndarray) -> None:
        self.i = i

    def energy(self, j: int) -> np.ndarray:
        S = len(self.sentence.ids)
        return self.p["W_p"] @ np.log([1 + self.i, 1 + (j + 1), 1 + S])
