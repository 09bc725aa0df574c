"""Markov condition: where attention was one step ago."""

from torch import Tensor

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Step, Widths
from fairseq_plugins.terms._neighbours import NeighbourBias, NeighbourOptions


class MarkovBias(NeighbourBias):
    """Cohn et al. 2016, Markov condition.

    e_ij gains W_m xi(alpha_{i-1}, j);  xi(a, j) = [a_{j-k} .. a_{j+k}], 0 beyond the ends.
    Shapes: W_m ``(A, 2k + 1)``.

    State: alpha_{i-1} ``(B, S)``, starting at 0.

    Family: structural biases.

    Symbol: W_m

    Written from: the author's code.
    """

    name = "markov_bias"
    Options = NeighbourOptions

    def __init__(self, options: NeighbourOptions, widths: Widths):
        super().__init__(options, widths)
        self.W_m = Linear(2 * self.k + 1, widths.attention, bias=False)

    def projection(self) -> Linear:
        return self.W_m

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Tensor, state: Tensor
    ) -> Tensor:
        return step.weights
