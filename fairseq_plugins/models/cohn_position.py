"""Cohn, position bias: target position, source position and length inside the tanh (Cohn et al. 2016, position)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.position_bias import PositionBias


@register("cohn_position")
class CohnPosition(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + W_p [log(1+i), log(1+j), log(1+S)]^T + b_a).

    Confidence: very high.
    """

    terms = (PositionBias,)
