"""RNNsearch*: additive attention on the conditional GRU of dl4mt; baseline of Xue et al. 2019 and Kuang et al. 2018."""

from fairseq_plugins.core.model import RecurrentModel, register


@register("rnnsearch_star")
class RNNSearchStar(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a)  (dl4mt, docs/cgru.tex; spec 1.5)."""
