"""Target-side bridging: the most attended source word enters the recurrence (Kuang et al. 2018, Eq. 1 and 2)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.target_bridging import TargetBridging


@register("bridging_target")
class TargetSideBridging(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a);  s_i = GRU_2([c_i ; E_x(x_{t*})], s'_i), t* = argmax_j alpha_ij.

    Confidence: high.
    """

    terms = (TargetBridging,)
