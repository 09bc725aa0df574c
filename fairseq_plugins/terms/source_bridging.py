"""Source-side bridging: attention sees the source words themselves beside their annotations."""

import torch

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Source, Term, Widths


class SourceBridging(Term):
    """Kuang et al. 2018, Sec. 2.1.

    h_j = [hf_j ; hb_j ; E_x(x_j)] wherever the annotation is used: U_a, c_i in recurrence and readout, the mean that
    starts RNNsearch*'s decoder. E_x(x_j) is the encoder's own input, after dropout.

    Family: bridging.

    Symbol: [hf_j ; hb_j ; E_x(x_j)]

    Written from: the paper.

    Ours: E_x(x_j) is also in the mean that starts RNNsearch*'s decoder (with Bahdanau's attention and readout, the
    printed numbers of parameters need it); dropout of E_x (the paper: of the output layer alone).
    """

    name = "source_bridging"

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()

    @classmethod
    def widening(cls, widths: Widths) -> int:
        return widths.embedding

    def annotate(self, source: Source) -> Source:
        return source._replace(annotations=torch.cat((source.annotations, source.embeddings), -1))
