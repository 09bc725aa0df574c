"""Interactive attention (spec 4.2), GAtt and GAtt-Inv (4.6), DHEA (4.8): keys that change at every step."""

from benchmarks.products import encoders
from benchmarks.products.base import attention, conditional, output
from benchmarks.products.product import Products, linear, weighted_sum
from benchmarks.sizes import Size


def interactive(z: Size) -> Products:
    """U_a of the memory that was written to, at every step; W_F and W_U together."""
    return [
        *encoders.bidirectional(z),
        *conditional(z, z.C, z.C, queries=z.H),
        *linear("U_a of the memory", z.B * z.S, z.C, z.H, times=z.T),
        *linear("W_F and W_U", z.B, z.H, 2 * z.C, times=z.T),
        *weighted_sum("context", z.B, z.S, z.C, z.T, constant=False),
        *output(z, z.C),
    ]


def _gated(z: Size, gated: int) -> Products:
    """What both have in common; ``gated``: width of the gated annotations."""
    return [
        *encoders.bidirectional(z),
        *conditional(z, z.C, gated, queries=z.H),
        *linear("gate, annotations", z.B * z.S, z.C, 3 * gated),
        *linear("gate, state", z.B, z.H, 3 * gated, times=z.T),
        *linear("U_a of what is gated", z.B * z.S, gated, z.H, times=z.T),
        *weighted_sum("context", z.B, z.S, gated, z.T, constant=False),
        *output(z, gated),
    ]


def gatt(z: Size) -> Products:
    return _gated(z, z.C)


def gatt_inv(z: Size) -> Products:
    return _gated(z, z.H)


def decoding_history(z: Size) -> Products:
    """W_a, W_t and W_g of the query together; of the past states half are there at a step on average."""
    return [
        *encoders.bidirectional(z),
        *attention(z, z.C),
        *conditional(z, z.C, z.C + z.H, queries=3 * z.H),
        *linear("U_t", z.B, z.H, z.H, times=z.T),
        *linear("C_s", z.B, z.C, z.H, times=z.T),
        *linear("C_t and P", z.B, z.H, 2 * z.H, times=z.T),
        *weighted_sum("past states", z.B, (z.T + 1) // 2, z.H, z.T, constant=True),
        *output(z, z.C + z.H),
    ]
