"""Feng RecAtt: RNNsearch* that knows where it looked last (Reconstruction; Feng et al. 2016, implicit distortion)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.implicit_distortion import ImplicitDistortion


@register("feng_recatt")
class FengRecAtt(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_g g_i + b_a);  g_i = GRU_d(c_{i-1}, g_{i-1}).

    Reconstruction: the paper's equations were not at hand; its abstract and later papers say that a recurrent network
    feeds attention as an implicit distortion model.

    State: c_{i-1} (B, C) and g_{i-1} (B, H), at first 0.

    Confidence: low.
    """

    terms = (ImplicitDistortion,)
