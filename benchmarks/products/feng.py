"""Implicit distortion and implicit fertility (spec 4.7): one vector a sentence."""

from benchmarks.products.product import Products, linear
from benchmarks.sizes import Size


def distortion(z: Size, annotation: int) -> Products:
    return [
        *linear("GRU_d, input", z.B, annotation, 3 * z.H, times=z.T),
        *linear("GRU_d, state", z.B, z.H, 3 * z.H, times=z.T),
        *linear("V_g", z.B, z.H, z.H, times=z.T),
    ]


def fertility(z: Size, annotation: int) -> Products:
    return [
        *linear("W_d", z.B, annotation, z.H),
        *linear("W_x", z.B * z.T, z.H, z.H),
        *linear("U_x", z.B, z.H, z.H, times=z.T),
        *linear("C_x", z.B, annotation, z.H, times=z.T),
        *linear("V_d", z.B, z.H, z.H, times=z.T),
    ]
