"""Direct bridging, no source bridging: "consistently worsens" the base, a control (Kuang et al. 2018, Sec. 2.3)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.direct_bridging import DirectBridging


@register("bridging_direct_nosrc")
class DirectOnThePlainBase(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a).

    Loss: NLL + sum_i ||W E_x(x_{t*}) - E_y(y_i)||^2, t* = argmax_j alpha_ij.

    Confidence: high.
    """

    terms = (DirectBridging,)
