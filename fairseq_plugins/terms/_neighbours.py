"""Attention weights around each source word, which the biases of Cohn et al. 2016 and the LSTM of Yang et al. read."""

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.core.features import Features
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.options import option
from fairseq_plugins.core.protocol import Source, Term, Widths


def neighbours(a: Tensor, k: int) -> Tensor:
    """xi(a, j) = [a_{j-k} .. a_{j+k}], 0 beyond the ends: ``(B, S)`` -> ``(B, S, 2k + 1)``."""
    return F.pad(a, (k, k)).unfold(1, 2 * k + 1, 1)


@dataclass(frozen=True)
class NeighbourOptions:
    """Options of the biases that read the weights around a word.

    Choices:
        cohn_window: Cohn: 1 -> code
    """

    cohn_window: int = option(1, "k, neighbours on each side whose attention a bias reads (Cohn et al. 2016: 1)")


class NeighbourBias(Term):
    """e_ij gains W xi(a_{i-1}, j), where a is a sequence of vectors ``(B, S)`` that starts at 0."""

    def __init__(self, options: NeighbourOptions, widths: Widths):
        super().__init__()
        self.k = options.cohn_window

    def memory(self, source: Source) -> Tensor:
        return source.annotations.new_zeros(source.mask.shape)

    def start(self, memory: Tensor) -> Tensor:
        return memory

    def energy(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Tensor, state: Tensor) -> tuple[Features, tuple]:
        return Features(neighbours(state.to(q.dtype), self.k), self.projection().weight), ()

    def projection(self) -> Linear:
        """W ``(A, 2k + 1)``."""
        raise NotImplementedError
