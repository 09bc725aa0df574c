"""fairseq's Transformer: everything is one product for all words."""

from collections.abc import Mapping
from typing import Any

from benchmarks.products.product import Products, between, linear, repeated
from benchmarks.sizes import Size


def widening_of(options: Mapping[str, Any]) -> int:
    """How much wider the feed-forward layer is than the model, by the options of fairseq's Transformer."""
    return options["encoder_ffn_embed_dim"] // options["encoder_embed_dim"]


def transformer(z: Size, layers: int, heads: int, widening: int) -> Products:
    """``widening``: as `widening_of`."""
    source, target = z.B * z.S, z.B * z.T

    def attention(asking: int, asked: int) -> Products:
        head = z.H // heads
        return between("score", z.B * heads, asking, head, asked, "nt") + between(
            "context", z.B * heads, asking, asked, head, "nn"
        )

    def own(words: int, length: int) -> Products:
        projections = linear("queries, keys and values", words, z.H, 3 * z.H) + linear("heads", words, z.H, z.H)
        wide = widening * z.H
        feed = linear("feed-forward, in", words, z.H, wide) + linear("feed-forward, out", words, wide, z.H)
        return projections + attention(length, length) + feed

    across = [
        *repeated(linear("queries and heads across", target, z.H, z.H), 2),
        *linear("keys and values across", source, z.H, 2 * z.H),
        *attention(z.T, z.S),
    ]
    return repeated([*own(source, z.S), *own(target, z.T), *across], layers) + linear("output", target, z.H, z.V)
