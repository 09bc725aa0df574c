"""RNNencdec: one vector for the whole sentence, no attention (Cho et al. 2014; baseline of Bahdanau et al. 2015)."""

from argparse import Namespace
from dataclasses import dataclass
from typing import Literal

from fairseq_plugins.core.cells.gated import FixedContextUnit
from fairseq_plugins.core.encoder import ForwardEncoder, RecurrentEncoder
from fairseq_plugins.core.fixed_context import FixedContext
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, register
from fairseq_plugins.core.options import option, read_options
from fairseq_plugins.core.protocol import Attention


@dataclass(frozen=True)
class RNNEncDecOptions:
    """GroundHog, which trained the published baseline, reads the previous state; Cho et al. print s_i.

    Choices:
        rnnencdec_readout: Cho: s_i; GroundHog: s_{i-1} -> code
    """

    rnnencdec_readout: Literal["prev", "cur"] = option("prev", "state that the readout reads: s_{i-1} or s_i")


@register("rnnencdec")
class RNNEncDec(RecurrentModel):
    """c_i = c = tanh(V h_S), no e_ij;  s_0 = tanh(V' c);  c enters every gate, outside the reset gate.

    GroundHog has it so; the equation of Cho et al. has c inside the reset gate.

    Confidence: high.

    Family: no attention.

    Written from: GroundHog's code.
    """

    encoder_type = ForwardEncoder
    default_readout = "maxout"
    own_options = (RNNEncDecOptions,)
    unused = frozenset({"attention_dim"})

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> FixedContext:
        return FixedContext(options.hidden_dim)

    @classmethod
    def build_cell(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, attention: Attention
    ) -> FixedContextUnit:
        reads = read_options(RNNEncDecOptions, args).rnnencdec_readout
        return FixedContextUnit(options.embed_dim, options.hidden_dim, attention.context_width, 0, readout_reads=reads)
