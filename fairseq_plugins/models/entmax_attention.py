"""1.5-entmax: RNNsearch* with weights between those of softmax and sparsemax (Peters et al. 2019, alpha = 1.5)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.entmax15 import Entmax15


@register("entmax_attention")
class EntmaxAttention(RecurrentModel):
    """alpha_i = entmax15(e_i);  e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    Confidence: very high.
    """

    terms = (Entmax15,)
