"""Recurrent attention: an LSTM per source word reads the attention near it (Yang et al. 2016, review Eq. 8-10)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.recurrent_attention import RecurrentAttention as RecurrentAttentionTerm


@register("recurrent_attention")
class RecurrentAttention(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_d d_{i-1,j} + b_a).

    d_ij = LSTM([alpha_{i,j-k} .. alpha_{i,j+k}], d_{i-1,j}).

    Confidence: high on the equations, low on D.
    """

    terms = (RecurrentAttentionTerm,)
