"""Products of systems that are not RNNsearch* with terms, by --arch, and of fairseq's own."""

from collections.abc import Callable

from benchmarks.products.product import Products, between, linears, repeated, scores, weighted_sum
from benchmarks.sizes import Size

LAYERS = 2  # of the systems of Luong et al. 2015
HEADS = 4  # of additive attention (Chen et al. 2018)


def recurrent_layer(name: str, z: Size, gates: int, directions: int = 1) -> Products:
    """A GRU (3 gates) or LSTM (4) over the source: the inputs of all words at once, the state word by word."""
    state = repeated(linears((f"{name}, state", z.B, z.H, gates * z.H, z.S)), directions)
    return [*linears((f"{name}, input", z.B * z.S, z.H, directions * gates * z.H)), *state]


def encoder(z: Size) -> Products:
    return recurrent_layer("encoder", z, 3, directions=2)


def output(z: Size, context: int, reads: int = 0, before: int = 1) -> Products:
    """Readout and logits of all steps at once; ``before``: 2 in front of a maxout."""
    words, width = z.B * z.T, before * z.H
    found = [("L_s", words, z.H, width), ("L_y", words, z.H, width), ("L_c", words, context, width)]
    found += [("L of the reads", words, reads, width)] if reads else []
    return linears(*found, ("W_o", words, z.H, z.V))


def conditional(z: Size, annotation: int, context: int, extra: int = 0, queries: int = 0) -> Products:
    """GRU_1, what is made of s'_i (GRU_2's gates and ``queries`` more rows, one product), and GRU_2's input."""
    return linears(
        ("W_init", z.B, annotation, z.H),
        ("GRU_1, input", z.B * z.T, z.H, 3 * z.H),
        ("GRU_1, state", z.B, z.H, 3 * z.H, z.T),
        ("GRU_2, state, and query", z.B, z.H, 3 * z.H + queries, z.T),
        ("GRU_2, input", z.B, context + extra, 3 * z.H, z.T),
    )


def attention(z: Size, annotation: int) -> Products:
    """U_a h_j once, and the context at every step."""
    keys = linears(("U_a", z.B * z.S, annotation, z.H))
    return keys + weighted_sum("context", z.B, z.S, annotation, z.T, constant=True)


def rnnsearch(z: Size) -> Products:
    """D1: r and z of the unit and the query are made of s_{i-1} in one product."""
    unit = linears(
        ("W_s", z.B, z.H, z.H),
        ("unit, input", z.B * z.T, z.H, 3 * z.H),
        ("unit, gates, and query", z.B, z.H, 3 * z.H, z.T),
        ("unit, candidate", z.B, z.H, z.H, z.T),
        ("unit, context", z.B, z.C, 3 * z.H, z.T),
    )
    return [*encoder(z), *attention(z, z.C), *unit, *output(z, z.C, before=2)]


def rnnencdec(z: Size) -> Products:
    """One context c = tanh(V h_S) for all steps, so that its products are made once a sentence."""
    words = z.B * z.T
    return recurrent_layer("encoder", z, 3) + linears(
        ("V", z.B, z.H, z.H),
        ("V'", z.B, z.H, z.H),
        ("unit, input", words, z.H, 3 * z.H),
        ("unit, gates", z.B, z.H, 2 * z.H, z.T),
        ("unit, candidate", z.B, z.H, z.H, z.T),
        ("unit and readout, context", z.B, z.H, 5 * z.H),
        ("L_s", words, z.H, 2 * z.H),
        ("L_y", words, z.H, 2 * z.H),
        ("W_o", words, z.H, z.V),
    )


def interactive(z: Size) -> Products:
    """U_a of the memory that was written to, at every step; W_F and W_U together."""
    written = linears(
        ("U_a of the memory", z.B * z.S, z.C, z.H, z.T),
        ("W_F and W_U", z.B, z.H, 2 * z.C, z.T),
    )
    read = weighted_sum("context", z.B, z.S, z.C, z.T, constant=False)
    return [*encoder(z), *conditional(z, z.C, z.C, queries=z.H), *written, *read, *output(z, z.C)]


def multihead(z: Size) -> Products:
    """Keys as wide together as those of one head; each head reads values of its own, a part of W_V h."""
    values = linears(("W_V", z.B * z.S, z.C, z.C))
    read = repeated(weighted_sum("context of a head", z.B, z.S, z.C // HEADS, z.T, constant=True), HEADS)
    keys = linears(("U_a", z.B * z.S, z.C, z.H))
    return [*encoder(z), *keys, *values, *read, *conditional(z, z.C, z.C, queries=z.H), *output(z, z.C)]


def gated(z: Size, width: int) -> Products:
    """GAtt and GAtt-Inv; ``width``: of the gated annotations."""
    gates = linears(
        ("gate, annotations", z.B * z.S, z.C, 3 * width),
        ("gate, state", z.B, z.H, 3 * width, z.T),
        ("U_a of what is gated", z.B * z.S, width, z.H, z.T),
    )
    read = weighted_sum("context", z.B, z.S, width, z.T, constant=False)
    return [*encoder(z), *conditional(z, z.C, width, queries=z.H), *gates, *read, *output(z, width)]


def decoding_history(z: Size) -> Products:
    """W_a, W_t and W_g of the query together; of the past states half are there at a step on average."""
    own = linears(
        ("U_t", z.B, z.H, z.H, z.T),
        ("C_s", z.B, z.C, z.H, z.T),
        ("C_t and P", z.B, z.H, 2 * z.H, z.T),
    )
    past = weighted_sum("past states", z.B, (z.T + 1) // 2, z.H, z.T, constant=True)
    base = [*encoder(z), *attention(z, z.C), *conditional(z, z.C, z.C + z.H, queries=3 * z.H)]
    return [*base, *own, *past, *output(z, z.C + z.H)]


def _stacked(z: Size) -> Products:
    return [product for k in range(LAYERS) for product in recurrent_layer(f"encoder {k}", z, 4)]


def _fed(attend: Callable[[Size], Products]) -> Callable[[Size], Products]:
    """Luong et al. with input feeding: a~_{i-1} enters the lowest layer. What a layer takes from below is multiplied
    first, and the product with its own state is added to that: two of B x H x 4H."""
    return lambda z: [
        *_stacked(z),
        *linears(
            ("decoder, words", z.B * z.T, z.H, 4 * z.H),
            *((f"decoder {k}, {of}", z.B, z.H, 4 * z.H, z.T) for k in range(LAYERS) for of in ("input", "state")),
        ),
        *attend(z),
        *weighted_sum("context", z.B, z.S, z.H, z.T, constant=True),
        *linears(("W_c", z.B, 2 * z.H, z.H, z.T), ("W_o", z.B * z.T, z.H, z.V)),
    ]


def _keys(z: Size) -> Products:
    return linears(("W_a h", z.B * z.S, z.H, z.H))


def _dot(z: Size) -> Products:
    return scores("score", z.B, z.S, z.H, z.T)


def general_unfed(z: Size) -> Products:
    """Attention does not enter the recurrence: all its steps are one product."""
    words = z.B * z.T
    return [
        *_stacked(z),
        *linears(
            ("decoder, words", words, z.H, 4 * z.H),
            *((f"decoder {k}, input", words, z.H, 4 * z.H) for k in range(1, LAYERS)),
            *((f"decoder {k}", z.B, z.H, 4 * z.H, z.T) for k in range(LAYERS)),
        ),
        *_keys(z),
        *between("score", z.B, z.T, z.H, z.S, "nt"),
        *between("context", z.B, z.T, z.S, z.H, "nn"),
        *linears(("W_c", words, 2 * z.H, z.H), ("W_o", words, z.H, z.V)),
    ]


def fairseq_lstm(z: Size) -> Products:
    """One layer, bidirectional encoder, input feeding, its score `general` with the query projected, not the keys."""
    words = z.B * z.T
    return [
        *recurrent_layer("encoder", z, 4, directions=2),
        *linears(
            ("start", z.B, z.C, 2 * z.H),
            ("decoder, words", words, z.H, 4 * z.H),
            ("decoder", z.B, 2 * z.H, 4 * z.H, z.T),
            ("query", z.B, z.H, z.C, z.T),
        ),
        *scores("score", z.B, z.S, z.C, z.T),
        *weighted_sum("context", z.B, z.S, z.C, z.T, constant=True),
        *linears(("attentional state", z.B, 3 * z.H, z.H, z.T), ("output", words, z.H, z.V)),
    ]


def transformer(z: Size, layers: int, heads: int, widening: int) -> Products:
    """fairseq's: everything is one product for all words; ``widening``: of the feed-forward layer."""

    def attend(attending: int, attended: int) -> Products:
        score = between("score", z.B * heads, attending, z.H // heads, attended, "nt")
        return score + between("context", z.B * heads, attending, attended, z.H // heads, "nn")

    def own(words: int, length: int) -> Products:
        projections = linears(("queries, keys and values", words, z.H, 3 * z.H), ("heads", words, z.H, z.H))
        wide = widening * z.H
        feed = linears(("feed-forward, in", words, z.H, wide), ("feed-forward, out", words, wide, z.H))
        return projections + attend(length, length) + feed

    across = [
        *repeated(linears(("queries and heads across", z.B * z.T, z.H, z.H)), 2),
        *linears(("keys and values across", z.B * z.S, z.H, 2 * z.H)),
        *attend(z.T, z.S),
    ]
    layer = [*own(z.B * z.S, z.S), *own(z.B * z.T, z.T), *across]
    return repeated(layer, layers) + linears(("output", z.B * z.T, z.H, z.V))


MECHANISMS: dict[str, Callable[[Size], Products]] = {
    "rnnencdec": rnnencdec,
    "rnnsearch": rnnsearch,
    "interactive_attention": interactive,
    "multihead_additive": multihead,
    "gatt": lambda z: gated(z, z.C),
    "gatt_inv": lambda z: gated(z, z.H),
    "dhea": decoding_history,
    "luong_global_dot": _fed(_dot),
    "luong_global_general": _fed(lambda z: _keys(z) + _dot(z)),
    "luong_global_concat": _fed(lambda z: _keys(z) + linears(("W_a d", z.B, z.H, z.H, z.T))),
    "luong_global_location": _fed(lambda z: linears(("W_l", z.B, z.H, z.S, z.T))),  # rows up to the source's length
    "luong_local_m": _fed(lambda z: _keys(z) + _dot(z)),
    "luong_local_p": _fed(lambda z: _keys(z) + _dot(z) + linears(("W_p", z.B, z.H, z.H, z.T))),
    "lstm": fairseq_lstm,
}
