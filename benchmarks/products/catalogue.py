"""Which products a system needs, as far as somebody has counted them."""

from collections.abc import Callable, Collection

from benchmarks.products import base, coverage, encoders, feng, histories, losses, luong, mechanisms
from benchmarks.products.product import Product, Products
from benchmarks.products.transformer import transformer, widening_of
from benchmarks.sizes import Size
from stages.settings.variants import VariantModel


def _nothing(z: Size, annotation: int) -> Products:
    """A few numbers a source word, or wider inputs of the base: elementwise work at most."""
    return []


TERMS: dict[str, Callable[[Size, int], Products]] = {  # by name; the second argument is the annotations' width
    "source_history": histories.source_history,
    "target_history": histories.target_history,
    "linguistic_coverage": _nothing,
    "linguistic_coverage_fertility": _nothing,
    "nn_coverage_tanh": coverage.nn_coverage_tanh,
    "nn_coverage_gru": coverage.nn_coverage_gru,
    "coverage_embedding_gru": coverage.embedding_gru,
    "coverage_embedding_sub": coverage.embedding_sub,
    "source_bridging": _nothing,
    "target_bridging": _nothing,
    "direct_bridging": losses.direct_bridging,
    "position_bias": _nothing,
    "markov_bias": _nothing,
    "local_fertility_bias": _nothing,
    "global_fertility": losses.global_fertility,
    "recurrent_attention": coverage.recurrent_attention,
    "implicit_distortion": feng.distortion,
    "implicit_fertility": feng.fertility,
    "supervised_attention": _nothing,
}
HISTORIES = ("source_history", "target_history")
MECHANISMS: dict[str, Callable[[Size], Products]] = {  # by --arch: what is not D2 with terms
    "rnnencdec": base.rnnencdec,
    "rnnsearch": base.rnnsearch,
    "interactive_attention": mechanisms.interactive,
    "gatt": mechanisms.gatt,
    "gatt_inv": mechanisms.gatt_inv,
    "dhea": mechanisms.decoding_history,
    "luong_global_dot": luong.dot,
    "luong_global_general": luong.general,
    "luong_global_concat": luong.concat,
    "luong_global_location": luong.location,
    "luong_local_m": luong.general,
    "luong_local_p": luong.local_p,
    "lstm": luong.fairseq_lstm,
}
FINAL_OBJECTIVE = "covemb_gru_sub_obj"  # its loss sums over all words of a sentence at once


def with_terms(z: Size, terms: Collection[str]) -> Products:
    """D2 with terms inside its tanh; bridges widen the annotations or the recurrence."""
    annotation = z.C + z.H * ("source_bridging" in terms)
    return [
        *encoders.bidirectional(z),
        *base.attention(z, annotation),
        *base.conditional(z, annotation, annotation, extra=z.H * ("target_bridging" in terms), queries=z.H),
        *base.output(z, annotation, reads=z.H * sum(name in HISTORIES for name in terms)),
        *(product for name in sorted(terms) for product in TERMS[name](z, annotation)),
    ]


def products_of(model: VariantModel, terms: Collection[str] | None, z: Size) -> Products | None:
    """Forward and backward products of one training step; None for a system that nobody has counted.

    Args:
        terms: names of the terms inside the tanh of a system that is D2 with terms; None for any other.
    """
    options = model.options()
    if model.arch == "transformer":
        return transformer(z, options["encoder_layers"], options["encoder_attention_heads"], widening_of(options))
    if model.arch == "luong_global_general" and options.get("input_feeding") is False:
        return luong.general_unfed(z)
    if options.get("luong_layers", luong.LAYERS) != luong.LAYERS:
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
