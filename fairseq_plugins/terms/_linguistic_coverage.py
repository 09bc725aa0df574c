"""What the two linguistic coverages of Tu et al. 2016 have in common: one number per source word."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from fairseq_plugins.core.features import Features
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.terms._losses import precise


@dataclass(frozen=True)
class LinguisticCoverageOptions:
    """The authors' code can also count down, from 1.

    Choices:
        linguistic_coverage_mode: Tu: adds; their code does both -> paper
    """

    linguistic_coverage_mode: Literal["add", "subtract"] = option(
        "add", "coverage grows from 0 (the paper's), or shrinks from 1 (the authors' code)"
    )


class CoverageMemory(NamedTuple):
    """initial: C_0 ``(B, S)``, 0 at padding; gain: what C_j moves by at full attention ``(B, S)``: 1 / Phi_j, or less
    than 0 if coverage shrinks. Both in at least fp32, in which attention is summed."""

    initial: Tensor
    gain: Tensor


class LinguisticCoverageBase(Term):
    """e_ij gains V_a C_{i-1,j};  C_{i,j} = C_{i-1,j} +- alpha_ij / Phi_j."""

    def __init__(self, options: LinguisticCoverageOptions, widths: Widths):
        super().__init__()
        self.shrinks = options.linguistic_coverage_mode == "subtract"
        self.V_a = Linear(1, widths.attention, bias=False)

    def memory(self, source: Source) -> CoverageMemory:
        each = 1 / precise(self.fertility(source.annotations))
        real = source.mask.to(each.dtype)
        return CoverageMemory(real, -each) if self.shrinks else CoverageMemory(torch.zeros_like(real), each)

    def start(self, memory: CoverageMemory) -> Tensor:
        return memory.initial

    def energy(
        self, y: tuple, q: Tensor, s_prev: Tensor, memory: CoverageMemory, state: Tensor
    ) -> tuple[Features, tuple]:
        return Features(state.to(q.dtype).unsqueeze(-1), self.V_a.weight), ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: CoverageMemory, state: Tensor
    ) -> Tensor:
        return torch.addcmul(state, step.weights, memory.gain)

    def fertility(self, annotations: Tensor) -> Tensor:
        """Phi_j ``(B, S)``, how much attention covers a word; anything but 0 at padding."""
        raise NotImplementedError
