"""Coverage, NN with GRU: a learned, gated coverage vector per source word (Tu et al. 2016, NN-based coverage)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.nn_coverage_gru import NNCoverageGRU


@register("coverage_nn_gru")
class CoverageNNGRU(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_a C_{i-1,j} + b_a).

    C_ij = GRU([alpha_ij; h_j; s_{i-1}], C_{i-1,j}).

    Confidence: very high.
    """

    terms = (NNCoverageGRU,)
