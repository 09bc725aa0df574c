"""Recurrent attention: an LSTM per source word that reads the attention around it."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.kernels import gated_memory, linear, linear_onto, weighted_sum
from fairseq_plugins.terms._neighbours import neighbours


@dataclass(frozen=True)
class RecurrentAttentionOptions:
    """By the review the paper's window is 11 = 2k + 1; the paper was not at hand for D.

    Choices:
        recurrent_attention_dim: not known -> ours
        recurrent_attention_window: Yang: a window of 11 -> paper, by the review
        memory_in_context: the review: inside the tanh only -> paper, by the review
    """

    recurrent_attention_dim: int = option(100, "D, width of the attention memory of a source word")
    recurrent_attention_window: int = option(5, "k, neighbours on each side whose attention it reads")
    memory_in_context: bool = option(False, "also feed sum_j alpha_ij d_{i-1,j} to the recurrence and the readout")


class Remembered(NamedTuple):
    """hidden state d and cell m of the LSTM, each ``(B, S, D)``, 0 at padding."""

    d: Tensor
    m: Tensor


class RecurrentAttention(Term):
    """Yang et al. 2016.

    e_ij gains V_d d_{i-1,j};  (d_ij, m_ij) = LSTM([alpha_{i,j-k} .. alpha_{i,j+k}], (d_{i-1,j}, m_{i-1,j})), the same
    LSTM for all j, alpha 0 beyond the ends.  d_ij depends on alpha_ij, so d_{i-1,j} is what e_ij can read.
    Shapes: V_d ``(A, D)``, W ``(4D, 2k + 1)``, U ``(4D, D)``, b ``(4D)``, gates in the order i, f, g, o.

    State: d and m ``(B, S, D)``, both starting at 0.

    Family: recurrent attention.

    Symbol: V_d d_{i-1,j}

    Written from: equations in a review.

    Ours: the query is s'_i, as for every term on RNNsearch* (the review: s_{i-1}); the review prints d_ij inside e_ij,
    which would be circular: here d_{i-1,j}.
    """

    name = "recurrent_attention"
    Options = RecurrentAttentionOptions

    def __init__(self, options: RecurrentAttentionOptions, widths: Widths):
        super().__init__()
        D, self.k = options.recurrent_attention_dim, options.recurrent_attention_window
        self.in_context = options.memory_in_context
        self.extra_width = self.read_width = D if self.in_context else 0
        self.V_d = Linear(D, widths.attention, bias=False)
        self.W = nn.Parameter(torch.empty(4 * D, 2 * self.k + 1))
        self.U = nn.Parameter(torch.empty(4 * D, D))
        self.b = nn.Parameter(torch.empty(4 * D))

    def memory(self, source: Source) -> Tensor:
        return source.mask.unsqueeze(-1).to(source.annotations.dtype)

    def start(self, memory: Tensor) -> Remembered:
        nothing = memory.new_zeros(*memory.shape[:2], self.U.shape[1])
        return Remembered(nothing, nothing)

    def energy(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Tensor, state: Remembered) -> tuple[Tensor, tuple]:
        return self.V_d(state.d), ()

    def read(self, weights: Tensor, scratch: tuple, memory: Tensor, state: Remembered) -> Tensor | None:
        return weighted_sum(weights, state.d) if self.in_context else None

    def cell(self, y: tuple, q: Tensor, context: Tensor, weights: Tensor, memory: Tensor, state: Remembered):
        return self.read(weights, (), memory, state), None, state

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Tensor, state: Remembered
    ) -> Remembered:
        around = neighbours(step.weights, self.k).flatten(0, 1)
        pre = linear_onto(linear(around, self.W, self.b), state.d.flatten(0, 1), self.U)
        d, m = gated_memory(pre, state.m.flatten(0, 1))  # all words at once are the LSTM's batch
        return Remembered(d.view_as(state.d) * memory, m.view_as(state.m) * memory)
