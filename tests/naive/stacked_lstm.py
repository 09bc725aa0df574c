"""The encoder and decoder of Luong et al. 2015: stacked unidirectional LSTMs, with input feeding (Sec. 3.3)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import Params, part
from .cell import Cell
from .lstm import lstm

Layers = list[tuple[np.ndarray, np.ndarray]]  # (h, c) of each layer, the lowest first


class StackedState(NamedTuple):
    """attentional: a~_i (H), 0 before the first word."""

    layers: Layers
    attentional: np.ndarray


class StackedLSTM(Cell):
    """A cell without attention of its own: `luong` adds it.

    params: enc_k.{W, U, b, b_U} and dec_k.{W, U, b, b_U} for k = 0 … luong_layers - 1, of which dec_0.W (4H, E + H),
    or (4H, E) without input feeding; W_c (H, C + H).
    """

    def __init__(self, params: Params, luong_layers: int, reverse_source: bool, input_feeding: bool) -> None:
        super().__init__(params)
        self.luong_layers = luong_layers
        self.reverse_source = reverse_source
        self.input_feeding = input_feeding

    def encode(self, x: np.ndarray) -> list[np.ndarray]:
        H = self.p["enc_0.U"].shape[1]
        layers = [(np.zeros(H), np.zeros(H)) for _ in range(self.luong_layers)]
        h = {}
        for j in self.reading_order(len(x)):
            layers = self.step("enc", x[j], layers)
            h[j] = layers[-1][0]
        self.final = layers
        return [h[j] for j in range(len(x))]

    def reading_order(self, S: int) -> list[int]:
        """The words from the last to the first if the source is reversed; eos, at S - 1, comes last in any case."""
        words = list(range(S - 1))
        if self.reverse_source:
            words.reverse()
        return [*words, S - 1]

    def start(self, h: Sequence[np.ndarray]) -> StackedState:
        """Every layer starts from the final (h, c) of the encoder's."""
        return StackedState(self.final, np.zeros(self.p["W_c"].shape[0]))

    def hidden(self, s: StackedState) -> np.ndarray:
        return s.layers[-1][0]

    def query(self, y: np.ndarray, s_prev: StackedState) -> np.ndarray:
        return self.decode(y, s_prev)[-1][0]  # d_i, the current top state

    def advance(
        self, y: np.ndarray, s_prev: StackedState, q: np.ndarray, c: np.ndarray, candidate: np.ndarray | float = 0.0
    ) -> StackedState:
        attentional = np.tanh(self.p["W_c"] @ np.concatenate([c, q]))  # a~_i = tanh(W_c [c_i ; d_i])
        return StackedState(self.decode(y, s_prev), attentional)

    def decode(self, y: np.ndarray, s_prev: StackedState) -> Layers:
        u = np.concatenate([y, s_prev.attentional]) if self.input_feeding else y  # [E_y(y_{i-1}) ; a~_{i-1}]
        return self.step("dec", u, s_prev.layers)

    def step(self, side: str, u: np.ndarray, layers: Layers) -> Layers:
        result = []
        for k in range(self.luong_layers):
            h, c = lstm(u, *layers[k], part(self.p, f"{side}_{k}"))
            result.append((h, c))
            u = h  # the next layer reads this one
        return result

    def features(
        self, kind: str, s_prev: StackedState, s: StackedState, y: np.ndarray, c: np.ndarray, reads: np.ndarray | float
    ) -> np.ndarray:
        """t_i = a~_i, so o_i = W_o a~_i + b_o. Raises ValueError for a readout other than tanh, for a~_i is a tanh."""
        if kind != "tanh":
            raise ValueError(f"with luong_base lstm the attentional vector is the readout, a tanh: not {kind}")
        return s.attentional
