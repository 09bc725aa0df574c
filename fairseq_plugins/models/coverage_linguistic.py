"""Coverage, linguistic: the attention that each source word has had (Tu et al. 2016, linguistic coverage)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.linguistic_coverage import LinguisticCoverage


@register("coverage_linguistic")
class CoverageLinguistic(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_a sum_{k<i} alpha_kj + b_a).

    Confidence: very high.
    """

    terms = (LinguisticCoverage,)
