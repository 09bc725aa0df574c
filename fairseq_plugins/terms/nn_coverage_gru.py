"""NN coverage, GRU: a learned coverage vector per source word, moved by a gated recurrence."""

from dataclasses import dataclass

import torch
from torch import Tensor

from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Widths
from fairseq_plugins.kernels import gated_recurrence, linear
from fairseq_plugins.terms._nn_coverage import NNCoverage, NNCoverageMemory, NNCoverageOptions


@dataclass(frozen=True)
class NNCoverageGRUOptions(NNCoverageOptions):
    """The authors' first code resets in front of the matrix product, the later one behind it.

    Choices:
        gru_reset_before: Tu, first code: before; the later one: after -> code, the later
    """

    gru_reset_before: bool = option(False, "reset in front of the matrix product (U_n (r * C)), as the first code does")


class NNCoverageGRU(NNCoverage):
    """Tu et al. 2016, NN-based coverage with a GRU.

    e_ij gains V_a C_{i-1,j};  x_ij = p alpha_ij + A h_j + B s_{i-1} + b;  r, z = sig(x_ij + U C_{i-1,j});
    n = tanh(x_ij + r * U_n C_{i-1,j});  C_{i,j} = z * C_{i-1,j} + (1 - z) * n.  Tu et al.'s z is our 1 - z: a
    relabelling.  Shapes: V_a ``(A, D)``, U ``(3D, D)``, p and b ``(3D)``, A ``(3D, C)``,
    B ``(3D, H)``, gates in the order r, z, n.

    State: C ``(B, S, D)``, starting at 0.

    Family: coverage.

    Symbol: V_a C_{i-1,j}

    Written from: the authors' code.
    """

    name = "nn_coverage_gru"
    Options = NNCoverageGRUOptions
    gates = 3

    def __init__(self, options: NNCoverageGRUOptions, widths: Widths):
        super().__init__(options, widths)
        self.reset_before = options.gru_reset_before

    def moved(self, weights: Tensor, from_decoder: Tensor, memory: NNCoverageMemory, state: Tensor) -> Tensor:
        if not self.reset_before:
            return gated_recurrence(
                memory.hoisted, linear(state, self.U), state,
                also=from_decoder, scaled=self.p, scale=weights, mask=memory.mask,
            )  # fmt: skip
        x, D = self.entering(weights, from_decoder, memory), self.width
        r, z = torch.sigmoid(x[..., : 2 * D] + linear(state, self.U[: 2 * D])).split(D, -1)
        n = torch.tanh(x[..., 2 * D :] + linear(r * state, self.U[2 * D :]))
        return torch.lerp(n, state, z) * memory.mask
