"""Coverage embeddings, GRU: what is left of each source word, moved by a GRU (Mi et al. 2016, Sec. 3.1.1)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.coverage_embedding_gru import CoverageEmbeddingGRU


@register("covemb_gru")
class CovembGRU(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_c c^GRU_{i-1,j} + b_a).

    Confidence: high.
    """

    terms = (CoverageEmbeddingGRU,)
