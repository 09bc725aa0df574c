"""Global and local attention (Luong et al. 2015): six scores and windows, each on either of two decoders.

Positions j count from 1 in the true order. Local-m and local-p score with `general`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import Params
from .attention import softmax
from .cell import Cell
from .gru import sigmoid
from .rnnsearch_star import RNNsearchStar
from .stacked_lstm import StackedLSTM
from .term import Term


class Luong(Cell):
    """The common part: d_i is the current query (Q), the LSTM's top state or s'_i of RNNsearch*; C: width of h_j.

    luong_base: "lstm" or "rnnsearch_star"; luong_layers, reverse_source, input_feeding: the LSTM's; attend_eos:
    whether the source's eos can be attended (alone it always can).
    """

    base: Cell

    def __init__(
        self,
        params: Params,
        luong_base: str = "lstm",
        luong_layers: int = 2,
        reverse_source: bool = False,
        input_feeding: bool = True,
        attend_eos: bool = True,
    ) -> None:
        super().__init__(params)
        if luong_base == "lstm":
            self.base = StackedLSTM(params, luong_layers, reverse_source, input_feeding)
        elif luong_base == "rnnsearch_star":
            self.base = RNNsearchStar(params)
        else:
            raise ValueError(f"luong_base is lstm or rnnsearch_star, not {luong_base}")
        self.attend_eos = attend_eos

    def attend(self, q: np.ndarray, h: Sequence[np.ndarray], terms: Sequence[Term]) -> tuple[np.ndarray, np.ndarray]:
        if terms:
            raise ValueError("Luong's attention takes no terms")
        S = len(h)
        last = S if self.attend_eos or S == 1 else S - 1
        alpha, c = [0.0] * S, 0.0
        for j, weight in self.weights(q, h, range(1, last + 1)).items():
            alpha[j - 1] = weight
            c = c + weight * h[j - 1]
        return np.array(alpha), c

    def weights(self, d: np.ndarray, h: Sequence[np.ndarray], attendable: Sequence[int]) -> dict[int, complex | float]:
        """alpha_ij of the positions j that can be attended; it is 0 at the others."""
        e = np.array([self.score(d, h, j) for j in attendable])
        return dict(zip(attendable, softmax(e), strict=True))

    def score(self, d: np.ndarray, h: Sequence[np.ndarray], j: int) -> complex | float:
        raise NotImplementedError

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        return self.base.encode(x)

    def start(self, h: Sequence[np.ndarray]) -> Any:
        self.i = 1
        return self.base.start(h)

    def hidden(self, s: Any) -> np.ndarray:
        return self.base.hidden(s)

    def query(self, y: np.ndarray, s_prev: Any) -> np.ndarray:
        return self.base.query(y, s_prev)

    def advance(
        self, y: np.ndarray, s_prev: Any, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> Any:
        return self.base.advance(y, s_prev, q, c, candidate)

    def update(self, alpha: np.ndarray, c: np.ndarray, s_prev: Any, q: np.ndarray, s: Any) -> None:
        self.i += 1

    def features(
        self, kind: str, s_prev: Any, s: Any, y: np.ndarray, c: np.ndarray, reads: np.ndarray | float
    ) -> np.ndarray:
        return self.base.features(kind, s_prev, s, y, c, reads)


class LuongDot(Luong):
    """score = d^T h."""

    def score(self, d: np.ndarray, h: Sequence[np.ndarray], j: int) -> complex | float:
        """Raises ValueError where d and h differ in width."""
        if len(d) != len(h[j - 1]):
            raise ValueError(f"dot needs annotations as wide as the query: {len(h[j - 1])} and {len(d)}")
        return d @ h[j - 1]


class LuongGeneral(Luong):
    """score = d^T W_a h. params: W_a (Q, C)."""

    def score(self, d: np.ndarray, h: Sequence[np.ndarray], j: int) -> complex | float:
        return d @ self.p["W_a"] @ h[j - 1]


class LuongConcat(Luong):
    """score = v^T tanh(W_a [d ; h]). params: W_a (H, Q + C), v (H)."""

    def score(self, d: np.ndarray, h: Sequence[np.ndarray], j: int) -> complex | float:
        return self.p["v"] @ np.tanh(self.p["W_a"] @ np.concatenate([d, h[j - 1]]))


class LuongLocation(Luong):
    """score = row j of W_l d: the annotations play no part. params: W_l (location_positions, Q).

    location_positions: the longest source that it knows.
    """

    knows_places = True

    def __init__(self, params: Params, *of_base: Any, location_positions: int = 128, **options: Any) -> None:
        super().__init__(params, *of_base, **options)
        self.location_positions = location_positions

    def score(self, d: np.ndarray, h: Sequence[np.ndarray], j: int) -> complex | float:
        """Raises ValueError for a source longer than location_positions."""
        if len(h) > self.location_positions:
            raise ValueError(f"a source of {len(h)} positions: location_positions is {self.location_positions}")
        return self.p["W_l"][j - 1] @ d


class LuongLocalM(LuongGeneral):
    """Monotonic alignment: attention only around p_i = min(i, S'), S' = S - 1 the length without eos.

    local_window: D; attention reaches from p_i - D to p_i + D.
    """

    knows_places = True

    def __init__(self, params: Params, *of_base: Any, local_window: int = 10, **options: Any) -> None:
        super().__init__(params, *of_base, **options)
        self.local_window = local_window

    def centre(self, d: np.ndarray, S: int) -> complex | float:
        """p_i, 1 where eos stands alone."""
        return max(1, min(self.i, S - 1))

    def weights(self, d: np.ndarray, h: Sequence[np.ndarray], attendable: Sequence[int]) -> dict[int, complex | float]:
        """The softmax over what can be attended within the window."""
        middle = math.floor(self.centre(d, len(h)).real)  # as in the authors' code; the paper has p_i itself
        window = [j for j in attendable if middle - self.local_window <= j <= middle + self.local_window]
        assert window, "the middle itself can be attended"
        return super().weights(d, h, window)


class LuongLocalP(LuongLocalM):
    """Predicted alignment: a Gaussian around p_i = 1 + sig(v_p^T tanh(W_p d_i)) (S' - 1) on the window's softmax.

    params: W_a (Q, C), W_p (H, Q), v_p (H). The paper's p_i is S sig(…), the authors' code has 1 + sig(…) S'.
    local_renorm: the weights are made to sum to 1 after the Gaussian.
    """

    def __init__(self, params: Params, *of_base: Any, local_renorm: bool = False, **options: Any) -> None:
        super().__init__(params, *of_base, **options)
        self.local_renorm = local_renorm

    @property
    def sums_to_one(self) -> bool:
        return self.local_renorm

    def centre(self, d: np.ndarray, S: int) -> complex | float:
        if S == 1:
            return 1.0
        return 1 + sigmoid(self.p["v_p"] @ np.tanh(self.p["W_p"] @ d)) * (S - 1 - 1)

    def weights(self, d: np.ndarray, h: Sequence[np.ndarray], attendable: Sequence[int]) -> dict[int, complex | float]:
        """alpha_ij = softmax_j * exp(-(j - p_i)² / (2 sigma²)), sigma = D / 2: they sum to 1 at most.

        Raises ValueError for D = 0, which leaves no Gaussian.
        """
        if self.local_window < 1:
            raise ValueError(f"local-p needs a local_window of at least 1: {self.local_window}")
        p_i, sigma = self.centre(d, len(h)), self.local_window / 2
        alpha = {}
        for j, weight in super().weights(d, h, attendable).items():
            alpha[j] = weight * np.exp(-((j - p_i) ** 2) / (2 * sigma**2))
        if self.local_renorm:
            total = sum(alpha.values())
            alpha = {j: weight / total for j, weight in alpha.items()}
        return alpha
