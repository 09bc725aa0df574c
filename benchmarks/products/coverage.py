"""Coverage (spec 4.1), coverage embeddings (3.2) and recurrent attention (4.5): small states of every source word."""

from benchmarks.products.product import Products, linear
from benchmarks.sizes import Size

NEIGHBOURS = 11  # weights that recurrent attention reads around a word (Yang et al. 2016: the best window)


def nn_coverage(z: Size, annotation: int, gates: int) -> Products:
    """A h_j once a sentence, B s_{i-1} one row a sentence, U and V_a together."""
    D = z.coverage
    return [
        *linear("coverage, A", z.B * z.S, annotation, gates * D),
        *linear("coverage, B", z.B, z.H, gates * D, times=z.T),
        *linear("coverage, U and V", z.B * z.S, D, gates * D + z.H, times=z.T),
    ]


def nn_coverage_tanh(z: Size, annotation: int) -> Products:
    return nn_coverage(z, annotation, 1)


def nn_coverage_gru(z: Size, annotation: int) -> Products:
    return nn_coverage(z, annotation, 3)


def embedding_gru(z: Size, annotation: int) -> Products:
    """W E_y(y_i) for all words at once, U and V_c together."""
    D = z.covemb
    return [
        *linear("coverage embedding, W", z.B * z.T, z.H, 3 * D),
        *linear("coverage embedding, U and V", z.B * z.S, D, 3 * D + z.H, times=z.T),
    ]


def embedding_sub(z: Size, annotation: int) -> Products:
    """Carried behind V_c: nothing in the loop, but V_c meets the shares of all words and the initial embeddings."""
    D = z.covemb
    return [
        *linear("subtracted share", z.B * z.T, z.H, D),
        *linear("subtracted coverage embedding, V", z.B * (z.T + z.S), D, z.H),
    ]


def recurrent_attention(z: Size, annotation: int) -> Products:
    """The LSTM of every source word: the weights around it, and its state, together with V_d."""
    D = z.recurrent
    return [
        *linear("attention memory, W", z.B * z.S, NEIGHBOURS, 4 * D, times=z.T),
        *linear("attention memory, U and V", z.B * z.S, D, 4 * D + z.H, times=z.T),
    ]
