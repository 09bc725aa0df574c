"""Multi-head additive attention: RNNsearch* that attends in several ways at once (Chen et al. 2018, RNMT+)."""

from argparse import Namespace

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.multihead_additive import MultiheadAdditive as Heads
from fairseq_plugins.mechanisms.multihead_additive import MultiheadOptions


@register("multihead_additive")
class MultiheadAdditive(RecurrentModel):
    """e_ij = v_k^T tanh(W_a^k s'_i + U_a^k h_j + b_a^k) in head k;  c_i = [c_i^1 ; .. ; c_i^K].

    c_i^k = sum_j alpha_ij W_V^k h_j with the weights of head k. The weights that are shown are the mean of the heads'.

    Confidence: medium.

    Family: multi-head attention.

    Written from: the paper, which prints no equation, and Vaswani et al. 2017.

    Ours: no output projection; everything else of RNMT+ (layers, normalisation, residuals) is left out.
    """

    own_options = (MultiheadOptions,)

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> Heads:
        return Heads(
            read_options(MultiheadOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
