"""An addend inside the tanh that is cheaper as the few numbers it is made of."""

from typing import NamedTuple

from torch import Tensor


class Features(NamedTuple):
    """An addend W x inside the tanh, of a few numbers a word that change at every step: x ``(B, S, F)``, W ``(A, F)``.

    The kernel of the energies makes the product, which as a tensor ``(B, S, A)`` would cost more than it is worth.
    """

    x: Tensor
    weight: Tensor
