"""Implicit distortion (RecAtt): a recurrent memory of where attention has been (reconstruction of Feng et al. 2016)."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from torch import Tensor

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Step, Term, Widths


@dataclass(frozen=True)
class ImplicitDistortionOptions:
    """The paper says that the memory is recurrent; what enters it is reconstructed.

    Choices:
        recatt: reconstruction -> ours
    """

    recatt: Literal["gru", "context"] = option("gru", "what enters the tanh: a GRU over contexts, or c_{i-1} itself")


class Focus(NamedTuple):
    """c_{i-1} ``(B, C)``; g_{i-1} ``(B, H)``, ``()`` without GRU."""

    context: Tensor
    g: Tensor | tuple


class ImplicitDistortion(Term):
    """Feng et al. 2016, "recurrent attention"; their equations were not at hand.

    e_ij gains V_g g_i;  g_i = GRU_d(c_{i-1}, g_{i-1}), or with ``recatt: context`` V_g c_{i-1}. The addend is the same
    at every j: it tells the query where the last focus was.
    Shapes: V_g ``(A, H)``, GRU_d G(C, H); ``context``: V_g ``(A, C)``.

    State: c_{i-1} and g_{i-1}, both 0 at first; one vector a sentence, none a word.

    Family: implicit distortion and fertility.

    Symbol: V_g g_i

    Written from: the abstract, and later papers.
    """

    name = "implicit_distortion"
    Options = ImplicitDistortionOptions

    def __init__(self, options: ImplicitDistortionOptions, widths: Widths):
        super().__init__()
        self.gru = GRU(widths.annotation, widths.hidden) if options.recatt == "gru" else None
        self.V_g = Linear(widths.hidden if self.gru else widths.annotation, widths.attention, bias=False)

    def memory(self, source: Source) -> Tensor:
        return source.annotations.new_zeros(len(source.annotations), source.annotations.shape[-1])

    def start(self, memory: Tensor) -> Focus:
        return Focus(memory, () if self.gru is None else memory.new_zeros(len(memory), self.gru.width))

    def energy(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Tensor, state: Focus) -> tuple[Tensor, tuple]:
        if self.gru is None:
            return self.V_g(state.context).unsqueeze(1), ()
        g = self.gru(self.gru.from_input(state.context), state.g)
        return self.V_g(g).unsqueeze(1), g

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: Tensor | tuple, memory: Tensor, state: Focus
    ) -> Focus:
        return Focus(step.context, scratch)
