"""GAtt-Inv: GAtt with the roles of annotation and decoder state exchanged (Zhang et al. 2017, GAtt-Inv)."""

from fairseq_plugins.core.model import register
from fairseq_plugins.mechanisms.gated import GAttInv as Mechanism
from fairseq_plugins.models._gated import GatedModel


@register("gatt_inv")
class GAttInv(GatedModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h^g_ij + b_a);  h^g_ij = GRU_g(h_j, s_{i-1}), s_{i-1} as the old state.

    c_i = sum_j alpha_ij h^g_ij, as wide as the decoder's state.

    Confidence: medium.
    """

    mechanism = Mechanism
