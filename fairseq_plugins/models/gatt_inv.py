"""GAtt-Inv: GAtt with the roles of annotation and decoder state exchanged (Zhang et al. 2017, GAtt-Inv)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.gated import GatedOptions
from fairseq_plugins.mechanisms.gated import GAttInv as Mechanism


@register("gatt_inv")
class GAttInv(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h^g_ij + b_a);  h^g_ij = GRU_g(h_j, s_{i-1}), s_{i-1} as the old state.

    c_i = sum_j alpha_ij h^g_ij, as wide as the decoder's state.

    Confidence: high.
    """

    own_options = (GatedOptions,)

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Mechanism:
        return Mechanism(
            read_options(GatedOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
