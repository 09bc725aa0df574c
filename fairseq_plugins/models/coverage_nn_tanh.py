"""Coverage, NN with tanh: a learned coverage vector per source word (Tu et al. 2016, NN-based coverage)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.nn_coverage_tanh import NNCoverageTanh


@register("coverage_nn_tanh")
class CoverageNNTanh(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_a C_{i-1,j} + b_a).

    C_ij = tanh(U C_{i-1,j} + p alpha_ij + A h_j + B s_{i-1} + b).

    Confidence: very high.
    """

    terms = (NNCoverageTanh,)
