"""Products of the terms inside the tanh of RNNsearch*'s energy, by name."""

from collections.abc import Callable

from benchmarks.products.product import Products, linears, weighted_sum
from benchmarks.sizes import Size

NEIGHBOURS = 11  # weights around a word that recurrent and location-aware attention read (Yang et al. 2016: the best)
FILTERS = 10  # of location-aware attention (Chorowski et al. 2015)


def _history(z: Size) -> Products:
    """U and V with the state of every source word, and the read.

    The first state is 0 and costs nothing, and nobody reads what the last step would make.
    """
    return [
        *linears(
            ("history, U", z.B * z.S, z.H, 3 * z.H, z.T - 2),
            ("history, V", z.B * z.S, z.H, z.H, z.T - 1),
        ),
        *weighted_sum("history, read", z.B, z.S, z.H, z.T - 1, constant=False),
    ]


def _nn_coverage(gates: int) -> Callable[[Size, int], Products]:
    """A h_j once a sentence, B s_{i-1} one row a sentence, U and V_a together."""
    return lambda z, annotation: linears(
        ("coverage, A", z.B * z.S, annotation, gates * z.coverage),
        ("coverage, B", z.B, z.H, gates * z.coverage, z.T),
        ("coverage, U and V", z.B * z.S, z.coverage, gates * z.coverage + z.H, z.T),
    )


def _covemb_gru(z: Size, annotation: int) -> Products:
    """W E_y(y_i) for all words at once, U and V_c together."""
    return linears(
        ("coverage embedding, W", z.B * z.T, z.H, 3 * z.covemb),
        ("coverage embedding, U and V", z.B * z.S, z.covemb, 3 * z.covemb + z.H, z.T),
    )


def _covemb_sub(z: Size, annotation: int) -> Products:
    """Carried behind V_c: nothing in the loop, but V_c meets the shares of all words and the initial embeddings."""
    return linears(
        ("subtracted share", z.B * z.T, z.H, z.covemb),
        ("subtracted coverage embedding, V", z.B * (z.T + z.S), z.covemb, z.H),
    )


def _recurrent_attention(z: Size, annotation: int) -> Products:
    """The LSTM of every source word: the weights around it, and its state, together with V_d."""
    return linears(
        ("attention memory, W", z.B * z.S, NEIGHBOURS, 4 * z.recurrent, z.T),
        ("attention memory, U and V", z.B * z.S, z.recurrent, 4 * z.recurrent + z.H, z.T),
    )


def _location_aware(z: Size, annotation: int) -> Products:
    """The filters over the weights around a word, and U."""
    return linears(
        ("filters F", z.B * z.S, NEIGHBOURS, FILTERS, z.T),
        ("filters, U", z.B * z.S, FILTERS, z.H, z.T),
    )


def _distortion(z: Size, annotation: int) -> Products:
    return linears(
        ("GRU_d, input", z.B, annotation, 3 * z.H, z.T),
        ("GRU_d, state", z.B, z.H, 3 * z.H, z.T),
        ("V_g", z.B, z.H, z.H, z.T),
    )


def _fertility(z: Size, annotation: int) -> Products:
    return linears(
        ("W_d", z.B, annotation, z.H),
        ("W_x", z.B * z.T, z.H, z.H),
        ("U_x", z.B, z.H, z.H, z.T),
        ("C_x", z.B, annotation, z.H, z.T),
        ("V_d", z.B, z.H, z.H, z.T),
    )


ELEMENTWISE = (
    *("linguistic_coverage", "linguistic_coverage_fertility", "source_bridging", "target_bridging"),
    *("position_bias", "markov_bias", "local_fertility_bias", "supervised_attention", "coverage_loss"),
    *("sparsemax", "entmax15", "constrained_sparsemax"),
)
"""A few numbers a source word, or wider inputs of the base: no products of their own."""
TERMS: dict[str, Callable[[Size, int], Products]] = {  # the second argument is the annotations' width
    **dict.fromkeys(ELEMENTWISE, lambda z, annotation: []),
    # W h_j once a sentence; W s_{i-1}, one row a sentence
    "source_history": lambda z, C: linears(("source history, W", z.B * z.S, C, 3 * z.H)) + _history(z),
    "target_history": lambda z, C: linears(("target history, W", z.B, z.H, 3 * z.H, z.T - 1)) + _history(z),
    "nn_coverage_tanh": _nn_coverage(gates=1),
    "nn_coverage_gru": _nn_coverage(gates=3),
    "coverage_embedding_gru": _covemb_gru,
    "coverage_embedding_sub": _covemb_sub,
    "direct_bridging": lambda z, annotation: linears(("bridge", z.B * z.T, z.H, z.H)),
    "global_fertility": lambda z, annotation: linears(("W_h", z.B * z.S, annotation, z.H)),
    "recurrent_attention": _recurrent_attention,
    "location_aware": _location_aware,
    "implicit_distortion": _distortion,
    "implicit_fertility": _fertility,
}
