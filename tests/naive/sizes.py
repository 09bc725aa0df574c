"""Widths, and the shapes that equations give to parameters by them."""

from typing import NamedTuple

Shapes = dict[str, tuple[int, ...]]


class Sizes(NamedTuple):
    """E, H, A and R as in the papers; D: of whatever a term keeps for a word; C: of the widened annotations.

    wide: of the readout in front of its non-linearity; V_X: words of the source.
    """

    E: int
    H: int
    A: int
    R: int
    D: int
    V_X: int
    C: int
    wide: int


def gru_shapes(width: int, size: int) -> Shapes:
    return {"W": (3 * size, width), "U": (3 * size, size), "b": (3 * size,)}


def below(name: str, own: Shapes) -> Shapes:
    return {f"{name}.{key}": shape for key, shape in own.items()}
