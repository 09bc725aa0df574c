"""Linguistic coverage with fertility: how much of the attention that it asks for each source word has had."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Widths
from fairseq_plugins.terms._linguistic_coverage import LinguisticCoverageBase, LinguisticCoverageOptions


@dataclass(frozen=True)
class LinguisticCoverageFertilityOptions(LinguisticCoverageOptions):
    """The paper has no bias in Phi, the authors' later code has one.

    Raises:
        ValueError: ``max_fertility`` is not positive.

    Choices:
        max_fertility: Tu: 2 -> paper
        fertility_bias: Tu: no bias in their first code, one in the later -> code, the first
    """

    max_fertility: float = option(2.0, "N, the most target words that a source word may ask for (Tu et al. 2016: 2)")
    fertility_bias: bool = option(False, "a bias b_f inside the fertility, as the authors' later code has")

    def __post_init__(self):
        if not self.max_fertility > 0:
            raise ValueError(f"max_fertility must be greater than 0, not {self.max_fertility}")


class LinguisticCoverageFertility(LinguisticCoverageBase):
    """Tu et al. 2016, linguistic coverage with fertility.

    e_ij gains V_a C_{i-1,j};  C_{i,j} = C_{i-1,j} + alpha_ij / Phi_j;  Phi_j = N sig(U_f h_j [+ b_f]) in (0, N).
    Shapes: V_a ``(A, 1)``, U_f ``(1, C)``, b_f ``(1)``.

    State: C ``(B, S)``, starting at 0; with ``linguistic_coverage_mode: subtract`` it starts at 1 and loses
    alpha_ij / Phi_j.

    Family: coverage.

    Symbol: V_a sum_{k<i} alpha_kj / Phi_j

    Written from: the authors' code.
    """

    name = "linguistic_coverage_fertility"
    Options = LinguisticCoverageFertilityOptions

    def __init__(self, options: LinguisticCoverageFertilityOptions, widths: Widths):
        super().__init__(options, widths)
        self.N = options.max_fertility
        self.U_f = Linear(widths.annotation, 1, bias=False)
        self.b_f = nn.Parameter(torch.empty(1)) if options.fertility_bias else None

    def fertility(self, annotations: Tensor) -> Tensor:
        asked = self.U_f(annotations).squeeze(-1)
        return self.N * torch.sigmoid(asked if self.b_f is None else asked + self.b_f)
