"""Which products a system needs, as far as somebody has counted them."""

from collections.abc import Collection

from benchmarks.products import mechanisms
from benchmarks.products.mechanisms import MECHANISMS
from benchmarks.products.product import Product, Products
from benchmarks.products.terms import TERMS
from benchmarks.sizes import Size
from stages.settings.variants import VariantModel

HISTORIES = ("source_history", "target_history")
FINAL_OBJECTIVE = "covemb_gru_sub_obj"  # its loss sums over all words of a sentence at once


def widening_of(model: VariantModel) -> int | None:
    """How much wider the feed-forward layer is than a model of fairseq's Transformer, which is what has the option of
    its width; None of any other system."""
    options = model.options()
    width = options.get("encoder_ffn_embed_dim")
    return width and width // options["encoder_embed_dim"]


def with_terms(z: Size, terms: Collection[str]) -> Products:
    """D2 with terms inside its tanh; bridges widen the annotations or the recurrence."""
    annotation, extra = z.C + z.H * ("source_bridging" in terms), z.H * ("target_bridging" in terms)
    return [
        *mechanisms.encoder(z),
        *mechanisms.attention(z, annotation),
        *mechanisms.conditional(z, annotation, annotation, extra=extra, queries=z.H),
        *mechanisms.output(z, annotation, reads=z.H * sum(name in HISTORIES for name in terms)),
        *(product for name in sorted(terms) for product in TERMS[name](z, annotation)),
    ]


def products_of(model: VariantModel, terms: Collection[str] | None, z: Size) -> Products | None:
    """Forward and backward products of one training step; None for a system that nobody has counted.

    Args:
        terms: names of the terms inside the tanh of a system that is D2 with terms; None for any other.
    """
    options = model.options()
    if widening := widening_of(model):
        return mechanisms.transformer(z, options["encoder_layers"], options["encoder_attention_heads"], widening)
    if model.arch == "luong_global_general" and options.get("input_feeding") is False:
        return mechanisms.general_unfed(z)
    if options.get("luong_layers", mechanisms.LAYERS) != mechanisms.LAYERS:
        return None
    if model.arch in MECHANISMS:
        return MECHANISMS[model.arch](z)
    if terms is None or not set(terms) <= set(TERMS):
        return None
    found = with_terms(z, terms)
    if model.arch == FINAL_OBJECTIVE or options.get("covemb_objective") == "final":
        found.append(Product("what is left at the end", "tn", z.S, z.T, z.covemb, z.B))
    if model.arch == "cohn_agreement":  # the system of the other direction is trained beside it
        found += with_terms(z._replace(S=z.T, T=z.S), terms)
    return found
