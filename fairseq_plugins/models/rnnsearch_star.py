"""RNNsearch*: additive attention on a conditional GRU, the base of most other variants (dl4mt, docs/cgru.tex)."""

from fairseq_plugins.core.model import RecurrentModel, register


@register("rnnsearch_star")
class RNNSearchStar(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    s'_i has seen y_{i-1}; the readout reads s_i.

    Confidence: very high.

    Family: conditional GRU.

    Written from: its code.
    """
