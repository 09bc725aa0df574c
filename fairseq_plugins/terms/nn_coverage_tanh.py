"""NN coverage, tanh: a learned coverage vector per source word, moved by a simple recurrence."""

from typing import ClassVar

from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.core.numerics import tanh
from fairseq_plugins.terms._nn_coverage import NNCoverage, NNCoverageOptions


class NNCoverageTanh(NNCoverage):
    """Tu et al. 2016, NN-based coverage with a tanh recurrence.

    e_ij gains V_a C_{i-1,j};  C_{i,j} = tanh(U C_{i-1,j} + p alpha_ij + A h_j + B s_{i-1} + b).
    Tu et al.'s equation has no b.  Shapes: V_a ``(A, D)``, U ``(D, D)``, p and b ``(D)``, A ``(D, C)``, B ``(D, H)``.

    State: C ``(B, S, D)``, starting at 0.
    """

    name = "nn_coverage_tanh"
    Options = NNCoverageOptions
    excludes: ClassVar[dict[str, str]] = {"nn_coverage_gru": "both are the learned coverage of a source word"}
    gates = 1

    def moved(self, x: Tensor, state: Tensor) -> Tensor:
        return tanh(x + F.linear(state, self.U))
