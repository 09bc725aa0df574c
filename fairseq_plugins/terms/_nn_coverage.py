"""What the two learned coverages of Tu et al. 2016 have in common: a vector per source word, moved by a recurrence."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.kernels import accumulate_grad, linear


@dataclass(frozen=True)
class NNCoverageOptions:
    """Options of both recurrences.

    Choices:
        coverage_dim: Tu: up to 10; their later code: 100 -> code, the later
        nn_coverage_state: Tu and both codes: s_{i-1} -> paper
    """

    coverage_dim: int = option(100, "D, width of the learned coverage of a source word (Tu et al. 2016, code: 100)")
    nn_coverage_state: Literal["prev", "query"] = option(
        "prev", "decoder state that enters the learned coverage: s_{i-1} (as the authors' code has it) or q_i"
    )


class NNCoverageMemory(NamedTuple):
    """mask ``(B, S, 1)``, 1 at real tokens; hoisted: A h_j + b ``(B, S, G)``."""

    mask: Tensor
    hoisted: Tensor


class NNCoverage(Term):
    """e_ij gains V_a C_{i-1,j};  C_{i,j} = f(x_ij, C_{i-1,j}), x_ij = p alpha_ij + A h_j + B s_{i-1} + b;  C_{0,j} = 0.

    Shapes: C ``(B, S, D)``, V_a ``(A, D)``; p, b ``(G)``, A ``(G, C)``, B ``(G, H)``, U ``(G, D)``, where G is D times
    the gates of f. A h_j + b leaves the loop; the rest of x_ij needs one row per sentence.
    """

    gates: int

    def __init__(self, options: NNCoverageOptions, widths: Widths):
        super().__init__()
        self.enters = options.nn_coverage_state
        self.width = options.coverage_dim
        G = self.gates * self.width
        self.V_a = Linear(self.width, widths.attention, bias=False)
        self.U = nn.Parameter(torch.empty(G, self.width))
        self.p = nn.Parameter(torch.empty(G))
        self.A = nn.Parameter(torch.empty(G, widths.annotation))
        self.B = nn.Parameter(torch.empty(G, widths.hidden))
        self.b = nn.Parameter(torch.empty(G))

    def memory(self, source: Source) -> NNCoverageMemory:
        mask = source.mask.unsqueeze(-1).to(source.annotations.dtype)
        return NNCoverageMemory(mask, accumulate_grad(linear(source.annotations, self.A, self.b)))

    def start(self, memory: NNCoverageMemory) -> Tensor:
        return memory.mask.new_zeros(*memory.mask.shape[:2], self.width)

    def energy(
        self, y: tuple, q: Tensor, s_prev: Tensor, memory: NNCoverageMemory, state: Tensor
    ) -> tuple[Tensor, tuple]:
        return self.V_a(state), ()

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: NNCoverageMemory, state: Tensor
    ) -> Tensor:
        from_decoder = linear(s_prev if self.enters == "prev" else q, self.B).unsqueeze(1)
        return self.moved(step.weights, from_decoder, memory, state)

    def moved(self, weights: Tensor, from_decoder: Tensor, memory: NNCoverageMemory, state: Tensor) -> Tensor:
        """C_i ``(B, S, D)`` from alpha_i, B s_{i-1} ``(B, 1, G)`` and C_{i-1}, 0 at padding."""
        raise NotImplementedError

    def entering(self, weights: Tensor, from_decoder: Tensor, memory: NNCoverageMemory) -> Tensor:
        """x_i ``(B, S, G)``."""
        return torch.addcmul(memory.hoisted, weights.unsqueeze(-1), self.p) + from_decoder
