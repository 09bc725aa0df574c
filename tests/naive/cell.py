"""What a cell is: a decoder's recurrence together with its attention. The one place that lists a cell's hooks."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from . import Params
from .readout import READOUTS
from .sizes import Shapes, Sizes
from .term import Term


class Cell:
    """What `system.run` calls, in the order below, at every target step. Options are arguments of the constructor.

    A state s may be any object of which `hidden` gives the top hidden vector (H).

    What tests must know of a mechanism:
    variations: further values of its options under which it is tested.
    knows_places: whether it matters to it where in the source a word stands.
    sums_to_one: whether the weights of a target word do; at most one otherwise.
    """

    variations: ClassVar[tuple[dict[str, Any], ...]] = ()
    knows_places: ClassVar[bool] = False
    sums_to_one: bool = True

    @classmethod
    def shapes(cls, z: Sizes, options: Mapping[str, Any]) -> Shapes:
        """Of a mechanism on RNNsearch*: the parameters that it has more, or in other shapes."""
        return {}

    def __init__(self, params: Params) -> None:
        self.p = params

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        """S annotations from the embeddings x (S, E), before terms widen them."""
        raise NotImplementedError

    def start(self, h: Sequence[np.ndarray]) -> Any:
        """s_0 from the widened annotations."""
        raise NotImplementedError

    def hidden(self, s: Any) -> np.ndarray:
        return s

    def query(self, y: np.ndarray, s_prev: Any) -> np.ndarray:
        """q_i. y: E_y(y_{i-1})."""
        raise NotImplementedError

    def attend(
        self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]
    ) -> tuple[np.ndarray | None, np.ndarray]:
        """alpha_i (S), None without attention, and c_i (C)."""
        raise NotImplementedError

    def advance(
        self, y: np.ndarray, s_prev: Any, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> Any:
        """s_i. c: c_i with the terms' extra inputs behind it; candidate: what terms add inside the candidate's tanh."""
        raise NotImplementedError

    def update(self, alpha: np.ndarray | None, c: np.ndarray, s_prev: Any, q: np.ndarray, s: Any) -> None:
        """The mechanism's own memory, once s_i is known."""

    def readout_state(self, s_prev: Any, s: Any) -> np.ndarray:
        """Which state the readout reads (H)."""
        raise NotImplementedError

    def features(
        self, kind: str, s_prev: Any, s: Any, y: np.ndarray, c: np.ndarray, reads: np.ndarray | float
    ) -> np.ndarray:
        """t_i (R). c: c_i without the extra inputs; reads: what terms add, already projected."""
        p = self.p
        t = p["L_s"] @ self.readout_state(s_prev, s) + p["L_y"] @ y + p["L_c"] @ c + reads + p["b_t"]
        return READOUTS[kind](t)
