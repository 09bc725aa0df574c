"""Sparsemax: RNNsearch* with most weights exactly 0 (Martins and Astudillo 2016, Eq. 2)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.sparsemax import Sparsemax


@register("sparsemax_attention")
class SparsemaxAttention(RecurrentModel):
    """alpha_i = sparsemax(e_i);  e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    Confidence: very high.
    """

    terms = (Sparsemax,)
