"""Interactive attention: the decoder reads the source annotations and writes into them (Meng et al. 2016)."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step
from fairseq_plugins.kernels import attention_weights, linear, weighted_sum, write_memory
from fairseq_plugins.mechanisms._additive import AdditiveMechanism


@dataclass(frozen=True)
class InteractiveOptions:
    """The paper allows weights of their own for writing; the authors' group's code writes where it has read.

    Choices:
        ia_separate_write: Meng allows both; their group's code shares -> code
    """

    ia_separate_write: bool = option(False, "write with weights of their own instead of those of the read")


class Memory(NamedTuple):
    """annotations h_j^(0) ``(B, S, C)``; mask ``(B, S)``."""

    annotations: Tensor
    mask: Tensor


class InteractiveAttention(AdditiveMechanism):
    """Meng et al. 2016, the READ and WRITE operations; as in the code of the authors' group.

    Read: e_ij = v^T tanh(W_a q_i + U_a h_j^{(i-1)} + b_a);  c_i = sum_j alpha_ij h_j^{(i-1)}.
    Write: F_i = sig(W_F s_i + b_F), U_i = sig(W_U s_i + b_U);  h_j^{(i)} = h_j^{(i-1)} (1 - w_ij F_i) + w_ij U_i, where
    w_ij = alpha_ij, or with ``ia_separate_write`` softmax_j(v_w^T tanh(W_aw s_i + U_aw h_j^{(i-1)} + b_aw)).

    State: h^{(i)} ``(B, S, C)``, at first the annotations. Shapes: W_F, W_U ``(C, H)``. The keys change with the
    memory, so U_a h cannot leave the loop.
    """

    def __init__(self, options: InteractiveOptions, hidden_dim: int, annotation_width: int, attention_width: int):
        super().__init__(hidden_dim, annotation_width, attention_width)
        self.annotation_width = self.context_width = annotation_width
        self.separate_write = options.ia_separate_write
        self.W_F = Linear(hidden_dim, annotation_width, bias=False)
        self.b_F = nn.Parameter(torch.empty(annotation_width))
        self.W_U = Linear(hidden_dim, annotation_width, bias=False)
        self.b_U = nn.Parameter(torch.empty(annotation_width))
        if self.separate_write:
            self.W_aw = Linear(hidden_dim, attention_width, bias=False)
            self.U_aw = Linear(annotation_width, attention_width, bias=False)
            self.b_aw = nn.Parameter(torch.empty(attention_width))
            self.v_w = nn.Parameter(torch.empty(attention_width))

    def memory(self, source: Source) -> Memory:
        return Memory(source.annotations, source.mask)

    def start(self, memory: Memory) -> Tensor:
        return memory.annotations

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: Tensor) -> Step:
        weights = self.weights(q, self.U_a(state), memory.mask)
        return Step(weighted_sum(weights, state), weights, {}, None, None, state, ())

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, memory: Memory) -> Tensor:
        weights = self.write_weights(s, step.state, memory.mask) if self.separate_write else step.weights
        forget = torch.sigmoid(linear(s, self.W_F.weight, self.b_F))
        update = torch.sigmoid(linear(s, self.W_U.weight, self.b_U))
        return write_memory(step.state, weights, update, forget)

    def write_weights(self, s: Tensor, state: Tensor, mask: Tensor) -> Tensor:
        """w_i ``(B, S)`` from s_i and the memory that was read."""
        query = linear(s, self.W_aw.weight, self.b_aw)
        return attention_weights(self.U_aw(state), query, self.v_w, mask)
