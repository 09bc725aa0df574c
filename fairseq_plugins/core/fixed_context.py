"""The absence of attention: one context vector for the whole sentence (Cho et al. 2014)."""

from torch import Tensor

from fairseq_plugins.core.protocol import Attention, Source, Step


class FixedContext(Attention):
    """c_i = c = tanh(V h_S) for all i: no weights, nothing to align."""

    fixed_context = True

    def __init__(self, context_width: int):
        super().__init__()
        self.annotation_width = self.context_width = context_width

    def memory(self, source: Source) -> Tensor:
        return source.summary

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Tensor, state: tuple) -> Step[None]:
        return Step(memory, None, {}, None, None, state, ())
