"""Which rows belong together: families share a panel, a colour and a marker."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from stages.reporting.style import PALETTE
from stages.settings.variants import VariantModel

BLUE, VERMILLION, GREEN, PINK, SKY, ORANGE, BLACK = PALETTE
GREY = "#8a8a8a"


class Family(NamedTuple):
    """Systems of one idea: the architectures whose names begin with one of `archs` (the longest that fits decides), and
    the combinations of none but `terms`. No two have the same marker."""

    title: str
    archs: tuple[str, ...]
    terms: tuple[str, ...]
    color: str
    marker: str


HISTORY = Family(
    "History (Xue et al. 2019)", ("sa_nmt", "ta_nmt", "ba_nmt"), ("source_history", "target_history"), VERMILLION, "^"
)
STAR = Family("RNNsearch* (dl4mt)", ("rnnsearch_star",), (), BLACK, "*")
COMBINED = Family("Combinations", (), (), VERMILLION, "d")
OTHER = Family("Others", (), (), GREY, "X")
FAMILIES = (
    Family("RNNencdec and RNNsearch", ("rnnencdec", "rnnsearch"), (), SKY, "o"),
    STAR,
    HISTORY,
    Family(
        "Coverage (Tu et al. 2016)",
        ("coverage_",),
        ("linguistic_coverage", "linguistic_coverage_fertility", "nn_coverage_gru", "nn_coverage_tanh"),
        BLUE,
        "s",
    ),
    Family(
        "Coverage embeddings (Mi et al. 2016)",
        ("covemb_",),
        ("coverage_embedding_gru", "coverage_embedding_sub"),
        GREEN,
        "D",
    ),
    Family(
        "Bridging (Kuang et al. 2018)",
        ("bridging_",),
        ("source_bridging", "target_bridging", "direct_bridging"),
        PINK,
        "v",
    ),
    Family("Luong et al. 2015", ("luong_",), (), ORANGE, "P"),
    Family(
        "Biases (Cohn et al. 2016)",
        ("cohn_",),
        ("position_bias", "markov_bias", "local_fertility_bias", "global_fertility"),
        BLUE,
        "<",
    ),
    Family(
        "Interactive, recurrent, gated", ("interactive_", "recurrent_", "gatt"), ("recurrent_attention",), GREEN, ">"
    ),
    Family("Reconstructions (Feng, Wang)", ("feng_", "dhea"), ("implicit_distortion", "implicit_fertility"), PINK, "h"),
    COMBINED,
    OTHER,
)
"""In the order of panels and legends."""

OF_ARCH = {arch: family for family in FAMILIES for arch in family.archs}
OF_TERM = {term: family for family in FAMILIES for term in family.terms}

Families = Mapping[str, Family]
"""Row -> its family, in the order of the report."""


class Group(NamedTuple):
    """Rows that share a panel."""

    title: str
    variants: tuple[str, ...]


def families_of(models: Mapping[str, VariantModel]) -> dict[str, Family]:
    """models: row -> its `model` in params.yaml."""
    return {name: family_of(model) for name, model in models.items()}


def family_of(model: VariantModel) -> Family:
    """Of a combination that of its terms, `COMBINED` if they are of several, `STAR` without terms, which that is; else
    that of the architecture. `OTHER` for what no family names."""
    if model.terms is not None:
        found = {OF_TERM.get(term, OTHER) for term in model.terms} or {STAR}
        return found.pop() if len(found) == 1 else COMBINED
    fitting = [arch for arch in OF_ARCH if model.arch.startswith(arch)]
    return OF_ARCH[max(fitting, key=len)] if fitting else OTHER


def label_of(variant: str, family: Family) -> str:
    """The row's name beside those of its family: without the beginning that its architectures share, if they do."""
    shared = family.archs[0] if len(family.archs) == 1 and family.archs[0].endswith("_") else ""
    return variant.removeprefix(shared)


def present(found: Iterable[Family]) -> list[Family]:
    """Those of `found`, each once, in the order of `FAMILIES`."""
    there = set(found)
    return [family for family in FAMILIES if family in there]


def grouped(families: Families, most: int) -> list[Group]:
    """The rows by family, in their own order, at most `most` in a group: a large family has several."""
    groups = []
    for family in present(families.values()):
        members = [name for name, own in families.items() if own is family]
        for start in range(0, len(members), most):
            title = family.title if start == 0 else f"{family.title}, continued"
            groups.append(Group(title, tuple(members[start : start + most])))
    return groups
