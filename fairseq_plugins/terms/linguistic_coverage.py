"""Linguistic coverage: how much attention each source word has had."""

from typing import ClassVar

from torch import Tensor

from fairseq_plugins.terms._linguistic_coverage import LinguisticCoverageBase, LinguisticCoverageOptions


class LinguisticCoverage(LinguisticCoverageBase):
    """Tu et al. 2016, linguistic coverage without fertility.

    e_ij gains V_a C_{i-1,j};  C_{i,j} = C_{i-1,j} + alpha_ij, so that sum_j C_{i,j} = i.  Shapes: V_a ``(A, 1)``.

    State: C ``(B, S)``, starting at 0; with ``linguistic_coverage_mode: subtract`` it starts at 1 and loses alpha_ij.

    Family: coverage.

    Symbol: V_a sum_{k<i} alpha_kj

    Written from: the authors' code.
    """

    name = "linguistic_coverage"
    Options = LinguisticCoverageOptions
    excludes: ClassVar[dict[str, str]] = {
        "linguistic_coverage_fertility": "both count the attention that a source word has had"
    }

    def fertility(self, annotations: Tensor) -> Tensor:
        return annotations.new_ones(annotations.shape[:2])
