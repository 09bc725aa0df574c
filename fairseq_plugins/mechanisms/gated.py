"""GAtt and GAtt-Inv: annotations gated anew at every step by the decoder's state (Zhang et al. 2017)."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step
from fairseq_plugins.kernels import accumulate_grad, gated_recurrence, linear, weighted_sum
from fairseq_plugins.mechanisms._additive import AdditiveMechanism


@dataclass(frozen=True)
class GatedOptions:
    """Which decoder state meets the annotations, and where the reset gate stands.

    Choices:
        gatt_state: Zhang: the previous state; the base has both -> ours
        gru_reset_before: Zhang: before -> ours: U h_j leaves the loop
    """

    gatt_state: Literal["prev", "query"] = option("prev", "decoder state that gates: s_{i-1} (the paper's) or q_i")
    gru_reset_before: bool = option(False, "reset in front of the matrix product (U_n (r * h)), as the paper prints")


class Memory(NamedTuple):
    """annotations h ``(B, S, C)``; hoisted: the GRU's product with them ``(B, S, .)``; mask ``(B, S)``."""

    annotations: Tensor
    hoisted: Tensor
    mask: Tensor


class GatedAttention(AdditiveMechanism):
    """e_ij = v^T tanh(W_a q_i + U_a h^g_ij + b_a);  c_i = sum_j alpha_ij h^g_ij: gated keys and gated values.

    h^g_ij is one step of a GRU between h_j and a decoder state; it starts from the encoder's h_j at every i, so nothing
    is remembered. Zhang et al. print (1 - z) h + z n; here z keeps the old state, a relabelling.
    """

    def __init__(
        self, options: GatedOptions, hidden_dim: int, annotation_width: int, attention_width: int,
        input_width: int, gated_width: int,
    ):  # fmt: skip
        super().__init__(hidden_dim, gated_width, attention_width)
        self.annotation_width, self.context_width = annotation_width, gated_width
        self.gated_by, self.reset_before = options.gatt_state, options.gru_reset_before
        self.gru = GRU(input_width, gated_width)

    def memory(self, source: Source) -> Memory:
        return Memory(accumulate_grad(source.annotations), accumulate_grad(self.hoist(source.annotations)), source.mask)

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: tuple) -> Step:
        gated = accumulate_grad(self.gated((q if self.gated_by == "query" else s_prev).unsqueeze(1), memory))
        weights = self.weights(q, self.U_a(gated), memory.mask)
        return Step(weighted_sum(weights, gated), weights, {}, None, None, state, ())

    def hoist(self, annotations: Tensor) -> Tensor:
        """The product of the GRU with h_j, once a sentence."""
        raise NotImplementedError

    def gated(self, s: Tensor, memory: Memory) -> Tensor:
        """h^g_i ``(B, S, gated_width)`` for a decoder state ``(B, 1, H)``."""
        raise NotImplementedError

    def from_state(self, state: Tensor) -> Tensor:
        """U h, without the candidate state's rows when the reset gate comes in front of them."""
        return linear(state, self.gru.U[: 2 * self.gru.width] if self.reset_before else self.gru.U)

    def recur(self, from_input: Tensor, from_state: Tensor, state: Tensor) -> Tensor:
        """The GRU; sentences' rows ``(B, 1, .)`` meet words' rows ``(B, S, .)``."""
        if not self.reset_before:
            return gated_recurrence(from_input, from_state, state)
        width = self.gru.width
        gates = torch.sigmoid(from_input[..., : 2 * width] + from_state)
        r, z = gates[..., :width], gates[..., width:]
        n = torch.tanh(from_input[..., 2 * width :] + linear(r * state, self.gru.U[2 * width :]))
        return torch.lerp(n, state, z)


class GAtt(GatedAttention):
    """h^g_ij = GRU_g(u = s_{i-1}, h = h_j): the annotation is the history, the decoder state the input.

    Zhang et al. 2017, GAtt. Shapes: h^g ``(B, S, C)``, U_a ``(A, C)``, GRU_g G(H, C). U h_j is made once a sentence,
    W s_{i-1} has one row a sentence.
    """

    def __init__(self, options: GatedOptions, hidden_dim: int, annotation_width: int, attention_width: int):
        super().__init__(options, hidden_dim, annotation_width, attention_width, hidden_dim, annotation_width)

    def hoist(self, annotations: Tensor) -> Tensor:
        return self.from_state(annotations)

    def gated(self, s: Tensor, memory: Memory) -> Tensor:
        return self.recur(self.gru.from_input(s), memory.hoisted, memory.annotations)


class GAttInv(GatedAttention):
    """h^g_ij = GRU_g(u = h_j, h = s_{i-1}): the decoder state is the history, the annotation the input.

    Zhang et al. 2017, GAtt-Inv. Shapes: h^g ``(B, S, H)``, U_a ``(A, H)``, GRU_g G(C, H); c_i is H wide. W h_j is made
    once a sentence.
    """

    def __init__(self, options: GatedOptions, hidden_dim: int, annotation_width: int, attention_width: int):
        super().__init__(options, hidden_dim, annotation_width, attention_width, annotation_width, hidden_dim)

    def hoist(self, annotations: Tensor) -> Tensor:
        return self.gru.from_input(annotations)

    def gated(self, s: Tensor, memory: Memory) -> Tensor:
        return self.recur(memory.hoisted, self.from_state(s), s)
