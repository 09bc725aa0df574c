"""Target-side bridging: the recurrence is fed the source word that the target word attends to most."""

from torch import Tensor

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Source, Term, Widths
from fairseq_plugins.terms._bridging import most_attended


class TargetBridging(Term):
    """Kuang et al. 2018, Eq. 1 and 2.

    t* = argmax_j alpha_ij;  s_i = GRU_2([c_i ; E_x(x_{t*})], s'_i): three more matrices ``(H, E)`` in the recurrence,
    nothing in attention or readout. E_x(x_{t*}) is the encoder's own input, after dropout.

    Family: bridging.

    Symbol: [c_i ; E_x(x_{t*})]

    Written from: the paper.

    Ours: of equal weights the first is the arg-max; eos may be it; s_i takes it, as in Eq. 1 (the prose: the state of
    the next word); dropout of E_x (the paper: of the output layer alone).
    """

    name = "target_bridging"

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()
        self.extra_width = widths.embedding

    def memory(self, source: Source) -> Tensor:
        return source.embeddings

    def cell(
        self, y: tuple, q: Tensor, context: Tensor, weights: Tensor, memory: Tensor, state: tuple
    ) -> tuple[Tensor, None, tuple]:
        return most_attended(memory, weights.unsqueeze(1)).squeeze(1), None, state
