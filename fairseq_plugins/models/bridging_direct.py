"""Direct bridging: source bridging, and word embeddings drawn to their translations' (Kuang et al. 2018, Eq. 3)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.direct_bridging import DirectBridging
from fairseq_plugins.terms.source_bridging import SourceBridging


@register("bridging_direct")
class Direct(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a [hf_j ; hb_j ; E_x(x_j)] + b_a).

    Loss: NLL + sum_i ||W E_x(x_{t*}) - E_y(y_i)||^2, t* = argmax_j alpha_ij.

    Confidence: high.
    """

    terms = (SourceBridging, DirectBridging)
