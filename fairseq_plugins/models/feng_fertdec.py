"""Feng FertDec: RNNsearch* that knows what is left to say (Reconstruction; Feng et al. 2016, implicit fertility)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.implicit_fertility import ImplicitFertility


@register("feng_fertdec")
class FengFertDec(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a);  the candidate of GRU_2 gains V_d d_i, d_i = x_i * d_{i-1}.

    x_i = sig(W_x E_y(y_{i-1}) + U_x s'_i + C_x c_i + b_x). Reconstruction: the paper's equations were not at hand; a
    later paper says that a coverage vector and an "extract gate" stand in the decoder's recurrent unit.

    State: d_i (B, H), d_0 = tanh(W_d mean_j h_j + b_d).

    Confidence: low.
    """

    terms = (ImplicitFertility,)
