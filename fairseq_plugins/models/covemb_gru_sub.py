"""Coverage embeddings, GRU + Sub: both, with an embedding table each (Mi et al. 2016, Sec. 3.1)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.coverage_embedding_gru import CoverageEmbeddingGRU
from fairseq_plugins.terms.coverage_embedding_sub import CoverageEmbeddingSub


@register("covemb_gru_sub")
class CovembGRUSub(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_c c^GRU_{i-1,j} + V_c' c^Sub_{i-1,j} + b_a).

    Confidence: high.
    """

    terms = (CoverageEmbeddingGRU, CoverageEmbeddingSub)
