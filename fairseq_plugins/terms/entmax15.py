"""1.5-entmax: the softmax's place is taken by what lies half-way to sparsemax."""

from entmax import entmax15
from torch import Tensor

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Term, Widths


class Entmax15(Term):
    """Peters et al. 2019, alpha-entmax with alpha = 1.5: alpha_ij = max(e_ij / 2 - tau, 0)^2, whose sum is 1.

    Family: sparse attention.

    Symbol: entmax15(e_i)

    Written from: the authors' code (the package ``entmax``).

    Ours: the output layer keeps its softmax (in the paper it is sparse, too).
    """

    name = "entmax15"
    normalises = True

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()

    def normalise(self, energies: Tensor, scratch: tuple, memory: tuple, state: tuple) -> Tensor:
        return entmax15(energies, -1)
