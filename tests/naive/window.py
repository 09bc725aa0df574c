"""A source position's neighbourhood, and the terms that look at it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from . import Params
from .interface import Sentence
from .sizes import Shapes, Sizes
from .term import Term


def window(a: Sequence[complex | float], j: int, k: int) -> np.ndarray:
    """xi(a, j) = [a_{j-k}, …, a_{j+k}], zero beyond the ends (Cohn et al. 2016, Sec. 3; Yang et al. 2016)."""
    return np.array([a[near] if 0 <= near < len(a) else 0.0 for near in range(j - k, j + k + 1)])


class WindowTerm(Term):
    """W xi(state, j) inside the tanh; p: `matrix` (A, 2k+1). State: a number a position, 0 at first. cohn_window: k."""

    matrix: ClassVar[str]
    knows_places = True

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        return {cls.matrix: (z.A, 2 * options.get("cohn_window", 1) + 1)}

    def __init__(self, p: Params, cohn_window: int = 1) -> None:
        super().__init__(p)
        self.k = cohn_window

    def start(self, sentence: Sentence) -> None:
        super().start(sentence)
        self.state = [np.zeros(1) for _ in sentence.h]

    def energy(self, j: int) -> np.ndarray:
        return self.p[self.matrix] @ window([a[0] for a in self.state], j, self.k)
