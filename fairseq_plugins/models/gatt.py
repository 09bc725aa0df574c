"""GAtt: RNNsearch* that attends to annotations refined at every step by a gate (Zhang et al. 2017, GAtt)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.gated import GatedOptions
from fairseq_plugins.mechanisms.gated import GAtt as Mechanism


@register("gatt")
class GAtt(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h^g_ij + b_a);  h^g_ij = GRU_g(s_{i-1}, h_j), h_j in the place of the old state.

    c_i = sum_j alpha_ij h^g_ij: the values are gated too.

    Confidence: high.
    """

    own_options = (GatedOptions,)

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Mechanism:
        return Mechanism(
            read_options(GatedOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
