"""Sparsemax: the softmax's place is taken by the nearest distribution, most of whose weights are 0."""

from entmax import sparsemax
from torch import Tensor

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Term, Widths


class Sparsemax(Term):
    """Martins and Astudillo 2016, Eq. 2: alpha_i = argmin ||p - e_i||^2 over distributions p = max(e_i - tau, 0).

    Family: sparse attention.

    Symbol: sparsemax(e_i)

    Written from: the authors' code (the package ``entmax``).
    """

    name = "sparsemax"
    normalises = True

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()

    def normalise(self, energies: Tensor, memory: tuple, state: tuple) -> Tensor:
        return sparsemax(energies, -1)
