"""DHEA: attention to the source and to the decoder's own past states, with a gate between (Wang et al. 2018)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Source, Step
from fairseq_plugins.kernels import accumulate_grad, attention_weights, weighted_sum
from fairseq_plugins.mechanisms._additive import AdditiveMechanism


class Memory(NamedTuple):
    """annotations h ``(B, S, C)``; keys U_a h ``(B, S, A)``; mask ``(B, S)``."""

    annotations: Tensor
    keys: Tensor
    mask: Tensor


class Decoded(NamedTuple):
    """What has been decoded before step i: s_1 .. s_{i-1} ``(B, i - 1, H)`` and U_t s_k ``(B, i - 1, A)``."""

    states: Tensor
    keys: Tensor


class DecodingHistoryAttention(AdditiveMechanism):
    """Reconstruction of Wang et al. 2018: only the abstract was at hand.

    c^s_i = sum_j alpha_ij h_j, alpha_ij from e_ij = v^T tanh(W_a q_i + U_a h_j + b_a);
    c^t_i = sum_{k<i} beta_ik s_k, beta_ik from v_t^T tanh(W_t q_i + U_t s_k), 0 at the first step;
    g_i = sig(W_g q_i + C_s c^s_i + C_t c^t_i + b_g);  c_i = [c^s_i ; g_i * (P c^t_i)].

    State: the s_k and their keys, growing by one a step; rows of a batch grow together, and a row sees its own past
    only, so padding behind a sentence never enters it. Shapes: W_t, U_t ``(A, H)``, W_g, C_t, P ``(H, H)``,
    C_s ``(H, C)``, c_i ``(C + H)``.
    """

    def __init__(self, hidden_dim: int, annotation_width: int, attention_width: int):
        super().__init__(hidden_dim, annotation_width, attention_width)
        self.annotation_width, self.context_width = annotation_width, annotation_width + hidden_dim
        self.hidden_dim = hidden_dim
        self.W_t = Linear(hidden_dim, attention_width, bias=False)
        self.U_t = Linear(hidden_dim, attention_width, bias=False)
        self.v_t = nn.Parameter(torch.empty(attention_width))
        self.W_g = Linear(hidden_dim, hidden_dim, bias=False)
        self.C_s = Linear(annotation_width, hidden_dim, bias=False)
        self.C_t = Linear(hidden_dim, hidden_dim, bias=False)
        self.b_g = nn.Parameter(torch.empty(hidden_dim))
        self.P = Linear(hidden_dim, hidden_dim, bias=False)

    def memory(self, source: Source) -> Memory:
        return Memory(accumulate_grad(source.annotations), accumulate_grad(self.U_a(source.annotations)), source.mask)

    def start(self, memory: Memory) -> Decoded:
        nothing = memory.keys[:, :0]
        return Decoded(nothing.new_zeros(len(nothing), 0, self.hidden_dim), nothing)

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: Decoded) -> Step:
        weights = self.weights(q, memory.keys, memory.mask)
        source = weighted_sum(weights, memory.annotations)
        context = torch.cat((source, self.history(q, source, state)), -1)
        return Step(context, weights, {}, None, None, state, ())

    def history(self, q: Tensor, source: Tensor, state: Decoded) -> Tensor:
        """g_i * (P c^t_i), ``(B, H)``."""
        if state.states.shape[1] == 0:
            return torch.zeros_like(q)
        all_of_them = torch.ones(state.states.shape[:2], dtype=torch.bool, device=q.device)
        weights = attention_weights(state.keys, self.W_t(q), self.v_t, all_of_them)
        decoded = weighted_sum(weights, state.states)
        return torch.sigmoid(self.W_g(q) + self.C_s(source) + self.C_t(decoded) + self.b_g) * self.P(decoded)

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, memory: Memory) -> Decoded:
        states, keys = step.state
        return Decoded(torch.cat((states, s.unsqueeze(1)), 1), torch.cat((keys, self.U_t(s).unsqueeze(1)), 1))
