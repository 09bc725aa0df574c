"""Local fertility: how much attention each source word and its neighbours have had."""

from torch import Tensor

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Step, Widths
from fairseq_plugins.terms._losses import precise
from fairseq_plugins.terms._neighbours import NeighbourBias, NeighbourOptions


class LocalFertilityBias(NeighbourBias):
    """Cohn et al. 2016, local fertility.

    e_ij gains W_f xi(sum_{k<i} alpha_k, j);  xi(a, j) = [a_{j-k} .. a_{j+k}], 0 beyond the ends.
    Shapes: W_f ``(A, 2k + 1)``.

    State: the sum of all alpha so far ``(B, S)``, starting at 0; over j it sums to i.

    Family: structural biases.

    Symbol: W_f

    Written from: the author's code.
    """

    name = "local_fertility_bias"
    Options = NeighbourOptions

    def __init__(self, options: NeighbourOptions, widths: Widths):
        super().__init__(options, widths)
        self.W_f = Linear(2 * self.k + 1, widths.attention, bias=False)

    def projection(self) -> Linear:
        return self.W_f

    def start(self, memory: Tensor) -> Tensor:
        return precise(memory)

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Tensor, state: Tensor
    ) -> Tensor:
        return state + step.weights
