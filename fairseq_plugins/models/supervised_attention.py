"""Supervised attention: RNNsearch* whose weights are taught word alignments (Mi et al. 2016a; Liu et al. 2016)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.supervised_attention import SupervisedAttention


@register("supervised_attention")
class Supervised(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    Loss: NLL - lambda sum_ij A*_ij log alpha_ij.

    Confidence: medium.
    """

    terms = (SupervisedAttention,)
