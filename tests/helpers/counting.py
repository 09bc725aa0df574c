"""How many parameters there are."""

from stages.settings.variants import VariantModel
from tests.helpers.support import build


def G(I: int, D: int) -> int:
    """A GRU with one bias a gate."""
    return 3 * (I * D + D * D + D)


def size(variant: VariantModel) -> int:
    """All parameters of a system at the sizes of the tests."""
    return sum(parameter.numel() for parameter in build(variant).model.parameters())


def added(variant: VariantModel) -> int:
    """Those that RNNsearch* does not have."""
    return size(variant) - size(VariantModel(arch="rnnsearch_star"))
