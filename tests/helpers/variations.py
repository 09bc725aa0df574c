"""Which values of options the models are tested with, beside those of params.yaml."""

from fairseq_plugins import declarations, registry
from stages.settings.variants import VariantModel
from tests.naive.system import cell_class, has_cell
from tests.naive.term import term_class, term_names

MECHANISMS = {
    "rnnencdec": "encdec", "rnnsearch": "d1", "rnnsearch_star": "d2", "interactive_attention": "interactive",
}  # fmt: skip
"""Architecture -> its reference implementation, where they are not called the same."""

EVERYTHING = {
    "terms": [
        "coverage_embedding_gru",
        "coverage_embedding_sub",
        "source_bridging",
        "target_bridging",
        "nn_coverage_gru",
        "recurrent_attention",
        "implicit_distortion",
        "implicit_fertility",
        "position_bias",
        "global_fertility",
        "direct_bridging",
        "supervised_attention",
        "source_history",
    ],
    "covemb_objective": "final",
    "memory_in_context": True,
    "recurrent_attention_window": 2,
}

OPTIONS = {
    "rnnencdec reading s_i": VariantModel(arch="rnnencdec", rnnencdec_readout="cur"),
    "rnnencdec tanh": VariantModel(arch="rnnencdec", readout="tanh"),
    "rnnsearch linear": VariantModel(arch="rnnsearch", readout="linear"),
    "rnnsearch of low rank": VariantModel(arch="rnnsearch", readout_lowrank=3),
    "rnnsearch_star maxout": VariantModel(arch="rnnsearch_star", readout="maxout"),
    "sa_nmt maxout": VariantModel(arch="sa_nmt", readout="maxout"),
    "ta_nmt handing out s_i": VariantModel(arch="ta_nmt", target_history_state="cur", readout="linear"),
    "combination": VariantModel(arch="attnmt", terms=["target_history", "source_history"]),
    "combination of nothing": VariantModel(arch="attnmt", terms=[]),
    "coverage embeddings in L1": VariantModel(arch="covemb_gru_sub_obj", covemb_norm=1, covemb_sub_lambda=0.3),
    "supervised coverage embeddings in L1": VariantModel(
        arch="covemb_gru_sub_supobj", covemb_norm=1, covemb_gru_lambda=0.2
    ),
    "soft bridging": VariantModel(arch="bridging_direct", bridge_soft=True, bridge_lambda=0.7),
    "bridging to fixed targets": VariantModel(arch="bridging_direct", bridge_stopgrad="target"),
    "bridging from fixed sources": VariantModel(arch="bridging_direct_nosrc", bridge_stopgrad="source"),
    "both bridges": VariantModel(arch="attnmt", terms=["target_bridging", "source_bridging", "direct_bridging"]),
    "wide windows": VariantModel(arch="cohn_all", cohn_window=2),
    "weak agreement": VariantModel(arch="cohn_agreement", agreement_gamma=0.1),
    "fertility by eta": VariantModel(arch="feng_both", fertdec_eta=0.5),
    "luong dot, three layers": VariantModel(arch="luong_global_dot", luong_layers=3, attend_eos=False),
    "luong concat unfed": VariantModel(arch="luong_global_concat", input_feeding=False, luong_layers=1),
    "luong location unfed": VariantModel(arch="luong_global_location", input_feeding=False, attend_eos=False),
    "luong general of a reversed source": VariantModel(arch="luong_global_general", reverse_source=True),
    "luong location of a reversed source": VariantModel(
        arch="luong_global_location", reverse_source=True, attend_eos=False, luong_layers=1
    ),
    "local-m of a reversed source": VariantModel(arch="luong_local_m", reverse_source=True, local_window=2),
    "local-p of a reversed source": VariantModel(
        arch="luong_local_p", reverse_source=True, local_window=2, input_feeding=False
    ),
    "luong general on d2": VariantModel(arch="luong_global_general", luong_base="rnnsearch_star"),
    "luong concat on d2": VariantModel(arch="luong_global_concat", luong_base="rnnsearch_star"),
    "luong location on d2": VariantModel(arch="luong_global_location", luong_base="rnnsearch_star"),
    "local-m, narrow": VariantModel(arch="luong_local_m", local_window=2, attend_eos=False),
    "local-m unfed on one layer": VariantModel(
        arch="luong_local_m", local_window=3, input_feeding=False, luong_layers=1
    ),
    "local-p, narrow": VariantModel(arch="luong_local_p", local_window=2, input_feeding=False),
    "local-p renormalised on d2": VariantModel(
        arch="luong_local_p", local_window=3, local_renorm=True, luong_base="rnnsearch_star"
    ),
    "everything at once": VariantModel(arch="attnmt", **EVERYTHING),
    "everything at once on rnnsearch": VariantModel(arch="attnmt", base="rnnsearch", **EVERYTHING),
    "nothing on rnnsearch, tanh": VariantModel(arch="attnmt", base="rnnsearch", terms=[], readout="tanh"),
}  # what the options of the published systems can say, whatever params.yaml says


def mechanism(arch: str) -> str | None:
    """The name of the reference implementation of a mechanism; None for an architecture that is made of terms."""
    name = MECHANISMS.get(arch, arch)
    return name if has_cell(name) else None


def of_reference_implementations() -> dict[str, VariantModel]:
    """Every term by itself, and every mechanism, with each of the values that its reference implementation names."""
    of_terms = {
        f"{name} {_said(options)}": VariantModel(arch="attnmt", terms=[name], **options)
        for name in term_names()
        for options in term_class(name).variations
    }
    return of_terms | {
        f"{arch} {_said(options)}": VariantModel(arch=arch, **options)
        for arch in registry.names()
        if (name := mechanism(arch))
        for options in cell_class(name).variations
    }


def knows_places(variant: VariantModel) -> bool:
    """Whether it matters to a system where in the source a word stands; if eos cannot be attended to, it does."""
    found = declarations.system(variant.arch)
    terms = {term.name for term in found.terms} | set(variant.terms or [])
    name = mechanism(variant.arch)
    kinds = [*map(term_class, terms), *([cell_class(name)] if name else [])]
    return any(kind.knows_places for kind in kinds) or not variant.options().get("attend_eos", True)


def _said(options: dict) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())
