"""NN coverage, tanh: a learned coverage vector per source word, moved by a simple recurrence."""

from typing import ClassVar

import torch
from torch import Tensor

from fairseq_plugins.kernels import linear
from fairseq_plugins.terms._nn_coverage import NNCoverage, NNCoverageMemory, NNCoverageOptions


class NNCoverageTanh(NNCoverage):
    """Tu et al. 2016, NN-based coverage with a tanh recurrence.

    e_ij gains V_a C_{i-1,j};  C_{i,j} = tanh(U C_{i-1,j} + p alpha_ij + A h_j + B s_{i-1} + b).
    Tu et al.'s equation has no b.  Shapes: V_a ``(A, D)``, U ``(D, D)``, p and b ``(D)``, A ``(D, C)``, B ``(D, H)``.

    State: C ``(B, S, D)``, starting at 0.

    Family: coverage.

    Symbol: V_a C_{i-1,j}

    Written from: the authors' code.

    Ours: the tanh has a bias.
    """

    name = "nn_coverage_tanh"
    Options = NNCoverageOptions
    excludes: ClassVar[dict[str, str]] = {"nn_coverage_gru": "both are the learned coverage of a source word"}
    gates = 1

    def moved(self, weights: Tensor, from_decoder: Tensor, memory: NNCoverageMemory, state: Tensor) -> Tensor:
        return torch.tanh(self.entering(weights, from_decoder, memory) + linear(state, self.U)) * memory.mask
