"""Coverage loss: attention is penalised for going where it has been (See et al. 2017, Eq. 10-13)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.coverage_loss import CoverageLoss as CoverageLossTerm
from fairseq_plugins.terms.linguistic_coverage import LinguisticCoverage


@register("coverage_loss")
class CoverageLoss(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_a sum_{k<i} alpha_kj + b_a).

    Loss: lambda sum_i sum_j min(alpha_ij, c_ij), c_ij = sum_{k<i} alpha_kj.

    Confidence: high.

    Written from: the paper.
    """

    terms = (LinguisticCoverage, CoverageLossTerm)
