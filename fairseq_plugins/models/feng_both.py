"""Feng RecAtt + FertDec: implicit distortion and implicit fertility (Reconstruction; Feng et al. 2016)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.implicit_distortion import ImplicitDistortion
from fairseq_plugins.terms.implicit_fertility import ImplicitFertility


@register("feng_both")
class FengBoth(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + V_g g_i + b_a);  the candidate of GRU_2 gains V_d d_i, d_i = x_i * d_{i-1}.

    g_i = GRU_d(c_{i-1}, g_{i-1}). Reconstruction: as ``feng_recatt`` and ``feng_fertdec``.

    State: c_{i-1} (B, C), g_{i-1} (B, H), d_i (B, H).

    Confidence: low.
    """

    terms = (ImplicitDistortion, ImplicitFertility)
