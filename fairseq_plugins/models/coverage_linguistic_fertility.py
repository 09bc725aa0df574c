"""Coverage, linguistic with fertility: attention had, relative to attention asked for (Tu et al. 2016, fertility)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.linguistic_coverage_fertility import LinguisticCoverageFertility


@register("coverage_linguistic_fertility")
class CoverageLinguisticFertility(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_a sum_{k<i} alpha_kj / Phi_j + b_a).

    Phi_j = N sig(U_f h_j).

    Confidence: very high.
    """

    terms = (LinguisticCoverageFertility,)
