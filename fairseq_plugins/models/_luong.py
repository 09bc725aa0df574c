"""What the systems of Luong et al. 2015 have in common: stacked LSTMs, and a~_i in the place of a readout."""

from argparse import Namespace
from typing import ClassVar

from fairseq_plugins.core.attentional import AttentionalReadout, AttentionalState
from fairseq_plugins.core.cells.lstm import StackedLSTM
from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions
from fairseq_plugins.core.options import read_options
from fairseq_plugins.core.protocol import Attention, Cell
from fairseq_plugins.core.readout import BaseReadout
from fairseq_plugins.core.stacked_encoder import StackedEncoder
from fairseq_plugins.mechanisms.luong import LuongAttention, LuongOptions

OF_LSTMS = ("luong_layers", "reverse_source", "input_feeding")


class LuongModel(RecurrentModel):
    """With ``luong_base: rnnsearch_star`` the mechanism stands in D2 instead, with D2's encoder and readout.

    Attributes:
        mechanism: how it attends.

    Family: global and local attention.

    State: d_i, the top state of stacked LSTMs, which are fed with a~_{i-1} (B, H) beside E_y(y_{i-1}) if
    ``input_feeding``; with ``luong_base: rnnsearch_star`` d_i is s'_i of RNNsearch*, read out as there, and nothing is
    fed back.

    Written from: the author's code.

    Ours: the source is not reversed unless ``reverse_source`` is set, its eos never; the output layer has a bias, and
    there is no dropout between the layers.
    """

    unused = frozenset({"attention_dim"})
    mechanism: ClassVar[type[LuongAttention]]

    def __init_subclass__(cls):
        super().__init_subclass__()
        cls.own_options = (cls.mechanism.Options,)

    @classmethod
    def build_encoder(cls, args: Namespace, options: SystemOptions, dictionary) -> RecurrentEncoder:
        """Stacked LSTMs.

        Raises:
            ValueError: an option of the LSTMs where there are none.
        """
        luong = read_options(LuongOptions, args)
        if luong.luong_base == "rnnsearch_star":
            if given := [name for name in OF_LSTMS if getattr(args, name, None) is not None]:
                raise ValueError(f"luong_base: rnnsearch_star has no stacked LSTMs; leave {', '.join(given)} out")
            return super().build_encoder(args, options, dictionary)
        return StackedEncoder(
            dictionary, options.embed_dim, options.hidden_dim, options.embed_dropout, options.annotation_dropout,
            luong.luong_layers, luong.reverse_source,
        )  # fmt: skip

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> LuongAttention:
        return cls.mechanism(read_options(cls.mechanism.Options, args), options.hidden_dim, encoder.annotation_width)

    @classmethod
    def build_cell(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, attention: Attention
    ) -> Cell:
        luong = read_options(LuongOptions, args)
        if luong.luong_base == "rnnsearch_star":
            return super().build_cell(args, options, encoder, attention)
        fed = AttentionalState(attention.context_width, options.hidden_dim) if luong.input_feeding else None
        return StackedLSTM(options.embed_dim, options.hidden_dim, luong.luong_layers, fed)

    @classmethod
    def build_readout(cls, args: Namespace, options: SystemOptions, attention: Attention) -> BaseReadout:
        """a~_i.

        Raises:
            ValueError: another readout was asked for.
        """
        luong = read_options(LuongOptions, args)
        if luong.luong_base == "rnnsearch_star":
            return super().build_readout(args, options, attention)
        if options.readout is not None:
            raise ValueError(f"readout is {options.readout}, but with luong_base: lstm it is a~_i; leave `readout` out")
        made_here = None if luong.input_feeding else AttentionalState(attention.context_width, options.hidden_dim)
        return AttentionalReadout(options.hidden_dim, made_here)
