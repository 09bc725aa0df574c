"""What the two systems of Zhang et al. 2017 have in common: RNNsearch* with a mechanism that gates the annotations."""

from argparse import Namespace
from typing import ClassVar

from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions
from fairseq_plugins.core.options import read_options
from fairseq_plugins.mechanisms.gated import GatedAttention, GatedOptions, GAtt, GAttInv


class GatedModel(RecurrentModel):
    """RNNsearch* but for its attention.

    Attributes:
        mechanism: how it attends.

    Family: gated annotations.

    Written from: second hand, no code found.

    Ours: the query is s'_i, as for every system on RNNsearch* (the review: s_{i-1}); the decoder starts from
    annotations that are not gated.
    """

    own_options = (GatedOptions,)
    mechanism: ClassVar[type[GAtt | GAttInv]]

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> GatedAttention:
        return cls.mechanism(
            read_options(GatedOptions, args), options.hidden_dim, encoder.annotation_width,
            options.attention_dim or options.hidden_dim,
        )  # fmt: skip
