"""The stacked LSTM decoder of Luong et al. 2015, with input feeding or without."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.attentional import AttentionalState
from fairseq_plugins.core.protocol import Cell, Source
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import gated_memory, linear, linear_onto


class LSTMState(NamedTuple):
    """h and c of one layer, ``(B, H)`` each."""

    h: Tensor
    c: Tensor


class StackState(NamedTuple):
    """The state of every layer, the lowest first; fed: a~_i ``(B, H)``, ``()`` without input feeding."""

    layers: tuple[LSTMState, ...]
    fed: Tree


class LSTM(nn.Module):
    """One layer: ``W (4H, I)``, ``U (4H, H)`` and one bias a gate ``b (4H)``, gates in the order i, f, g, o."""

    def __init__(self, input_width: int, hidden_dim: int):
        super().__init__()
        self.W = nn.Parameter(torch.empty(4 * hidden_dim, input_width))
        self.U = nn.Parameter(torch.empty(4 * hidden_dim, hidden_dim))
        self.b = nn.Parameter(torch.empty(4 * hidden_dim))

    def from_input(self, u: Tensor) -> Tensor:
        """W u + b for ``u (..., I)``."""
        return linear(u, self.W, self.b)

    def forward(self, from_input: Tensor, state: LSTMState) -> LSTMState:
        """The new state from W u + b ``(B, 4H)`` and the old one."""
        return LSTMState(*gated_memory(linear_onto(from_input, state.h, self.U), state.c))

    def unroll(self, from_input: Tensor, state: LSTMState) -> Tensor:
        """h of all steps ``(B, T, H)`` from W u + b ``(B, T, 4H)``."""
        outputs = []
        for row in from_input.unbind(1):
            state = self(row, state)
            outputs.append(state.h)
        return torch.stack(outputs, 1)


class StackedLSTM(Cell):
    """d_i = LSTM([E_y(y_{i-1}) ; a~_{i-1}]), the top layer's h (Luong et al. 2015, section 3.3); a~_0 = 0.

    Layer k starts from (h, c) of the encoder's layer k. The query is d_i. With input feeding the recurrence makes
    a~_i = tanh(W_c [c_i ; d_i]) itself, and the readout reads it; without, attention does not enter the recurrence:
    it runs through all steps at once, and the readout makes a~_i of d_i. W_feed ``(4H, H)`` holds the columns of the
    lowest layer's W that meet a~, apart from those that meet E_y and leave the loop.
    """

    takes_extras = False
    layers: Sequence[LSTM]

    def __init__(self, embed_dim: int, hidden_dim: int, layers: int, attentional: AttentionalState | None):
        super().__init__()
        stack = [LSTM(hidden_dim if k else embed_dim, hidden_dim) for k in range(layers)]
        self.layers = nn.ModuleList(stack)  # type: ignore[assignment]  # torch's has no type for what it holds
        self.attentional = attentional  # None: no input feeding
        if attentional is not None:
            self.W_feed = nn.Parameter(torch.empty(4 * hidden_dim, hidden_dim))

    def start(self, source: Source) -> StackState:
        layers = source.summary
        return StackState(layers, () if self.attentional is None else torch.zeros_like(layers[-1].h))

    def target(self, embeddings: Tensor) -> Tensor:
        return self.layers[0].from_input(embeddings)

    def query(self, y: Tensor, s: StackState) -> tuple[Tensor, tuple[LSTMState, ...]]:
        from_input = y if self.attentional is None else linear_onto(y, s.fed, self.W_feed)
        moved = [self.layers[0](from_input, s.layers[0])]
        for layer, state in zip(self.layers[1:], s.layers[1:], strict=True):
            moved.append(layer(layer.from_input(moved[-1].h), state))
        return moved[-1].h, tuple(moved)

    def advance(
        self, y: Tensor, mid: tuple[LSTMState, ...], context: Tensor, extra: Tensor | None, candidate: Tensor | None,
        s: StackState,
    ) -> StackState:  # fmt: skip
        return StackState(mid, () if self.attentional is None else self.attentional(context, mid[-1].h))

    def hidden(self, s: StackState) -> Tensor:
        return s.layers[-1].h

    def readout_state(self, s_prev: StackState, s: StackState) -> Tensor:
        return self.hidden(s) if self.attentional is None else s.fed

    def unroll(self, y: Tensor, s: StackState) -> tuple[Tensor, Tensor] | None:
        """Layer by layer, so that each layer's product with its input is one for all steps."""
        if self.attentional is not None:
            return None
        top = self.layers[0].unroll(y, s.layers[0])
        for layer, state in zip(self.layers[1:], s.layers[1:], strict=True):
            top = layer.unroll(layer.from_input(top), state)
        return top, top
