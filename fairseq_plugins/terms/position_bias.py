"""Position bias: how far the translation has come, and how far into the source each word stands."""

from typing import NamedTuple

import torch
from torch import Tensor

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.kernels import linear


class PositionMemory(NamedTuple):
    """features: [log(1 + j), log(1 + S)] ``(B, S, 2)``; first: i = 1 ``(B,)``."""

    features: Tensor
    first: Tensor


class PositionBias(Term):
    """Cohn et al. 2016, position bias.

    e_ij gains W_p psi_ij;  psi_ij = [log(1 + i), log(1 + j), log(1 + S)]: i and j count from 1, S is the number of real
    tokens, eos included (the authors' code counts i from 0, and j from 0 at a beginning-of-sentence token).
    Shapes: W_p ``(A, 3)``.

    State: i, an int64 ``(B)``, starting at 1.

    Family: structural biases.

    Symbol: W_p

    Written from: the author's code.

    Ours: i and j count from 1 and S counts eos (the code counts i from 0, and j from a beginning-of-sentence
    token).
    """

    name = "position_bias"
    Options = NoOptions

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()
        self.W_p = Linear(3, widths.attention, bias=False)

    def memory(self, source: Source) -> PositionMemory:
        dtype, lengths = source.annotations.dtype, source.mask.sum(1)
        j = torch.arange(1, source.mask.shape[1] + 1, device=lengths.device)
        counts = torch.stack(torch.broadcast_tensors(j, lengths.unsqueeze(1)), -1)
        return PositionMemory(torch.log1p(counts.to(dtype)), torch.ones_like(lengths))

    def keys(self, memory: PositionMemory) -> Tensor:
        return linear(memory.features, self.W_p.weight[:, 1:])

    def start(self, memory: PositionMemory) -> Tensor:
        return memory.first

    def energy(
        self, y: tuple, q: Tensor, s_prev: Tensor, memory: PositionMemory, state: Tensor
    ) -> tuple[Tensor, tuple]:
        i = torch.log1p(state.to(memory.features.dtype))
        return i.view(-1, 1, 1) * self.W_p.weight[:, 0], ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: PositionMemory, state: Tensor
    ) -> Tensor:
        return state + 1
