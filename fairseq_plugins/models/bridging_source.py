"""Source-side bridging: source word embeddings are part of the annotations (Kuang et al. 2018, Sec. 2.1)."""

from fairseq_plugins.core.model import RecurrentModel, register
from fairseq_plugins.terms.source_bridging import SourceBridging


@register("bridging_source")
class SourceSideBridging(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a [hf_j ; hb_j ; E_x(x_j)] + b_a).

    Confidence: high.
    """

    terms = (SourceBridging,)
