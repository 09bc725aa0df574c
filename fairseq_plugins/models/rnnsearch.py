"""RNNsearch: the original attention model (Bahdanau et al. 2015, appendix A.2.2)."""

from argparse import Namespace

from fairseq_plugins.core.additive import AdditiveAttention
from fairseq_plugins.core.cells.gated import GatedUnit
from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.protocol import Attention


@register("rnnsearch")
class RNNSearch(RecurrentModel):
    """e_ij = v^T tanh(W_a s_{i-1} + U_a h_j).

    No bias; maxout readout of s_{i-1}.

    Confidence: very high.

    Family: additive attention.

    Written from: GroundHog's code.
    """

    default_readout = "maxout"

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> AdditiveAttention:
        return cls.build_additive(args, options, encoder, bias=False)

    @classmethod
    def build_cell(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, attention: Attention
    ) -> GatedUnit:
        return GatedUnit(
            options.embed_dim, options.hidden_dim, attention.context_width, attention.extra_width, readout_reads="prev"
        )
