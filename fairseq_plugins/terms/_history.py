"""What the source-side and the target-side history of Xue et al. 2019 have in common."""

from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term
from fairseq_plugins.kernels import gated_recurrence, linear, weighted_sum


@dataclass(frozen=True)
class HistoryOptions:
    """Options of both histories.

    Choices:
        history_dim: Xue: not stated -> ours
    """

    history_dim: int | None = option(
        None, "D, width of each history state; H unless given (the paper does not state D)"
    )


class HistoryMemory(NamedTuple):
    """mask ``(B, S, 1)``, 1 at real tokens; hoisted products of the sentence, a tree."""

    mask: Tensor
    hoisted: Tensor | tuple


class History(Term):
    """A GRU state per source word, moved by alpha_ij times a vector x_ij.

    e_ij gains V m_j^{i-1};  readout gains sum_j alpha_ij m_j^{i-1};  m_j^i = GRU(alpha_ij x_ij, m_j^{i-1});  m_j^0 = 0.

    Shapes: m ``(B, S, D)``, V ``(A, D)``; m^0 is one row a sentence, ``(B, 1, D)``, for it is the same for all words:
    the first step costs no product over the source. Since alpha_ij is a scalar, W (alpha_ij x_ij) = alpha_ij (W x_ij):
    the product with x needs one row per source word, or per sentence, never per step and position.
    """

    def __init__(self, history_dim: int, input_width: int, attention_width: int):
        super().__init__()
        self.read_width = history_dim
        self.gru = GRU(input_width, history_dim)
        self.V = Linear(history_dim, attention_width, bias=False)

    def memory(self, source: Source) -> HistoryMemory:
        return HistoryMemory(source.mask.unsqueeze(-1).to(source.annotations.dtype), self.hoist(source))

    def start(self, memory: HistoryMemory) -> Tensor:
        return memory.mask.new_zeros(len(memory.mask), 1, self.gru.width)

    def energy(self, y: tuple, q: Tensor, s_prev: Tensor, memory: HistoryMemory, state: Tensor) -> tuple[Tensor, tuple]:
        return self.V(state), ()

    def read(self, weights: Tensor, scratch: tuple, memory: HistoryMemory, state: Tensor) -> Tensor:
        return state.squeeze(1) if state.shape[1] == 1 else weighted_sum(weights, state)  # the weights sum to 1

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: HistoryMemory, state: Tensor
    ) -> Tensor:
        projected = self.projected(memory.hoisted, q, s_prev, s)
        return gated_recurrence(
            self.gru.b, linear(state, self.gru.U), state, scaled=projected, scale=step.weights, mask=memory.mask
        )

    def hoist(self, source: Source) -> Tensor | tuple:
        """What of W x_ij depends on the sentence alone."""
        raise NotImplementedError

    def projected(self, hoisted, q: Tensor, s_prev: Tensor, s: Tensor) -> Tensor:
        """W x_ij, ``(B, S, 3D)`` or ``(B, 1, 3D)``."""
        raise NotImplementedError
