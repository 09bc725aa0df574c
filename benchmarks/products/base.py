"""D2, the base of most systems, and D1 (spec 1.4, 1.5, 6.1, 6.3)."""

from benchmarks.products import encoders
from benchmarks.products.product import Products, linear, weighted_sum
from benchmarks.sizes import Size


def output(z: Size, context: int, reads: int = 0, before: int = 1) -> Products:
    """Readout and logits of all steps at once; ``before``: 2 in front of a maxout."""
    words, width = z.B * z.T, before * z.H
    found = linear("L_s", words, z.H, width) + linear("L_y", words, z.H, width) + linear("L_c", words, context, width)
    if reads:
        found += linear("L of the reads", words, reads, width)
    return found + linear("W_o", words, z.H, z.V)


def conditional(z: Size, annotation: int, context: int, extra: int = 0, queries: int = 0) -> Products:
    """GRU_1, what is made of s'_i (GRU_2's gates and ``queries`` more rows, one product), and GRU_2's input."""
    return [
        *linear("W_init", z.B, annotation, z.H),
        *linear("GRU_1, input", z.B * z.T, z.H, 3 * z.H),
        *linear("GRU_1, state", z.B, z.H, 3 * z.H, times=z.T),
        *linear("GRU_2, state, and query", z.B, z.H, 3 * z.H + queries, times=z.T),
        *linear("GRU_2, input", z.B, context + extra, 3 * z.H, times=z.T),
    ]


def attention(z: Size, annotation: int) -> Products:
    """U_a h_j once, and the context at every step."""
    keys = linear("U_a", z.B * z.S, annotation, z.H)
    return keys + weighted_sum("context", z.B, z.S, annotation, z.T, constant=True)


def rnnsearch(z: Size) -> Products:
    """D1: r and z of the unit and the query are made of s_{i-1} in one product."""
    return [
        *encoders.bidirectional(z),
        *attention(z, z.C),
        *linear("W_s", z.B, z.H, z.H),
        *linear("unit, input", z.B * z.T, z.H, 3 * z.H),
        *linear("unit, gates, and query", z.B, z.H, 3 * z.H, times=z.T),
        *linear("unit, candidate", z.B, z.H, z.H, times=z.T),
        *linear("unit, context", z.B, z.C, 3 * z.H, times=z.T),
        *output(z, z.C, before=2),
    ]


def rnnencdec(z: Size) -> Products:
    """One context for all steps, so that its products are made once a sentence."""
    words = z.B * z.T
    return [
        *encoders.forward(z),
        *linear("V'", z.B, z.H, z.H),
        *linear("unit, input", words, z.H, 3 * z.H),
        *linear("unit, gates", z.B, z.H, 2 * z.H, times=z.T),
        *linear("unit, candidate", z.B, z.H, z.H, times=z.T),
        *linear("unit and readout, context", z.B, z.H, 5 * z.H),
        *linear("L_s", words, z.H, 2 * z.H),
        *linear("L_y", words, z.H, 2 * z.H),
        *linear("W_o", words, z.H, z.V),
    ]
