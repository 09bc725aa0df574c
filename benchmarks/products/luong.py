"""The systems of Luong et al. 2015 (spec 4.3), with input feeding or without, and fairseq's own LSTM beside them."""

from benchmarks.products import encoders
from benchmarks.products.product import Products, between, linear, scores, weighted_sum
from benchmarks.sizes import Size

LAYERS = 2


def fed(z: Size, attend: Products) -> Products:
    """a~_{i-1} enters the lowest layer; what a layer takes from below and its own state meet in one product."""
    return [
        *encoders.stacked_lstm(z, LAYERS),
        *linear("decoder, words", z.B * z.T, z.H, 4 * z.H),
        *[product for k in range(LAYERS) for product in linear(f"decoder {k}", z.B, 2 * z.H, 4 * z.H, times=z.T)],
        *attend,
        *weighted_sum("context", z.B, z.S, z.H, z.T, constant=True),
        *linear("W_c", z.B, 2 * z.H, z.H, times=z.T),
        *linear("W_o", z.B * z.T, z.H, z.V),
    ]


def keys(z: Size) -> Products:
    return linear("W_a h", z.B * z.S, z.H, z.H)


def dot(z: Size) -> Products:
    return fed(z, scores("score", z.B, z.S, z.H, z.T))


def general(z: Size) -> Products:
    return fed(z, keys(z) + scores("score", z.B, z.S, z.H, z.T))


def concat(z: Size) -> Products:
    return fed(z, keys(z) + linear("W_a d", z.B, z.H, z.H, times=z.T))


def location(z: Size) -> Products:
    """Only rows of W_l up to the length of the source."""
    return fed(z, linear("W_l", z.B, z.H, z.S, times=z.T))


def local_p(z: Size) -> Products:
    return fed(z, keys(z) + scores("score", z.B, z.S, z.H, z.T) + linear("W_p", z.B, z.H, z.H, times=z.T))


def general_unfed(z: Size) -> Products:
    """Attention does not enter the recurrence: all its steps are one product."""
    words, upper = z.B * z.T, range(1, LAYERS)
    return [
        *encoders.stacked_lstm(z, LAYERS),
        *linear("decoder, words", words, z.H, 4 * z.H),
        *[product for k in upper for product in linear(f"decoder {k}, input", words, z.H, 4 * z.H)],
        *[product for k in range(LAYERS) for product in linear(f"decoder {k}", z.B, z.H, 4 * z.H, times=z.T)],
        *keys(z),
        *between("score", z.B, z.T, z.H, z.S, "nt"),
        *between("context", z.B, z.T, z.S, z.H, "nn"),
        *linear("W_c", words, 2 * z.H, z.H),
        *linear("W_o", words, z.H, z.V),
    ]


def fairseq_lstm(z: Size) -> Products:
    """One layer, bidirectional encoder, input feeding, its score `general` with the query projected, not the keys."""
    return [
        *encoders.recurrent_layer("encoder", z, z.H, 4, directions=2),
        *linear("start", z.B, z.C, 2 * z.H),
        *linear("decoder, words", z.B * z.T, z.H, 4 * z.H),
        *linear("decoder", z.B, 2 * z.H, 4 * z.H, times=z.T),
        *linear("query", z.B, z.H, z.C, times=z.T),
        *scores("score", z.B, z.S, z.C, z.T),
        *weighted_sum("context", z.B, z.S, z.C, z.T, constant=True),
        *linear("attentional state", z.B, 3 * z.H, z.H, times=z.T),
        *linear("output", z.B * z.T, z.H, z.V),
    ]
