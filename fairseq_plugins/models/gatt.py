"""GAtt: RNNsearch* that attends to annotations refined at every step by a gate (Zhang et al. 2017, GAtt)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.gated import GAtt as Mechanism
from fairseq_plugins.models._gated import GatedModel


@register("gatt")
class GAtt(GatedModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h^g_ij + b_a);  h^g_ij = GRU_g(s_{i-1}, h_j), h_j in the place of the old state.

    c_i = sum_j alpha_ij h^g_ij: the values are gated too.

    Confidence: medium.
    """

    mechanism = Mechanism
