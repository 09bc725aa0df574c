"""Multi-head additive attention: RNNsearch* that attends in several ways at once (Chen et al. 2018, RNMT+)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.multihead_additive import MultiheadAdditive as Heads
from fairseq_plugins.mechanisms.multihead_additive import MultiheadOptions


@register("multihead_additive")
class MultiheadAdditive(RecurrentModel):
    """e^k_ij = v^k . tanh(W_a^k s'_i + U_a^k h_j + b_a^k);  c_i^k = sum_j alpha^k_ij W_V^k h_j.

    c_i = [c_i^1 ; .. ; c_i^K] of K heads. The weights that are shown are the mean of the heads'.

    Confidence: medium: the paper names the mechanism and the number of heads, and prints no equation.

    Family: multi-head attention.

    Written from: the paper's words, and Vaswani et al. 2017.

    Ours: no output projection; everything else of RNMT+ (layers, normalisation, residuals) is left out.
    """

    own_options = (MultiheadOptions,)

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Heads:
        return Heads(
            read_options(MultiheadOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
