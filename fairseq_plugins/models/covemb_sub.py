"""Coverage embeddings, Sub: every target word takes its share from its source words (Mi et al. 2016, Eq. 5)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.coverage_embedding_sub import CoverageEmbeddingSub


@register("covemb_sub")
class CovembSub(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_c c^Sub_{i-1,j} + b_a).

    Confidence: high.
    """

    terms = (CoverageEmbeddingSub,)
