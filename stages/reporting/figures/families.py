"""Which systems belong together: families share a panel, a colour and a marker.

Which family a system is of, its model, or else its terms, say themselves (`fairseq_plugins.declarations`).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, count, cycle
from typing import Any, NamedTuple

from fairseq_plugins import declarations
from fairseq_plugins.declarations import COMBINATIONS
from stages.reporting.style import GREY, PALETTE
from stages.settings.variants import VariantModel

BLUE, VERMILLION, GREEN, PINK, SKY, ORANGE, BLACK = PALETTE
Marker = Any
"""What Matplotlib takes: a name, or `(points, 1, 0)` of a star."""


class Family(NamedTuple):
    """Systems of one idea, or of a few that would fill no panel: those that call their family one of `names`. No two
    have the same marker."""

    title: str
    names: tuple[str, ...]
    color: str
    marker: Marker


STAR = Family("RNNsearch* (dl4mt)", ("conditional GRU",), BLACK, "*")
HISTORY = Family("History (Xue et al. 2019)", ("bilingual history",), VERMILLION, "^")
COMBINED = Family("Combinations", (COMBINATIONS,), VERMILLION, "d")
OTHER = Family("Others", ("supervised attention", "large vocabulary"), GREY, "X")
KNOWN = (
    Family("RNNencdec and RNNsearch", ("no attention", "additive attention"), SKY, "o"),
    STAR,
    HISTORY,
    Family("Coverage (Tu et al. 2016)", ("coverage",), BLUE, "s"),
    Family("Coverage embeddings (Mi et al. 2016)", ("coverage embeddings",), GREEN, "D"),
    Family("Bridging (Kuang et al. 2018)", ("bridging",), PINK, "v"),
    Family("Luong et al. 2015", ("global and local attention",), ORANGE, "P"),
    Family("Biases (Cohn et al. 2016)", ("structural biases",), BLUE, "<"),
    Family(
        "Interactive, recurrent, gated",
        ("interactive attention", "recurrent attention", "gated annotations"),
        GREEN,
        ">",
    ),
    Family("Reconstructions (Feng, Wang)", ("implicit distortion and fertility", "decoding history"), PINK, "h"),
)
LAST = (COMBINED, OTHER)
FREE_COLORS = (SKY, ORANGE, BLUE, GREEN, PINK)

Families = Mapping[str, Family]
"""System -> its family, in the order of the report."""


class Group(NamedTuple):
    """Systems that share a panel."""

    title: str
    variants: tuple[str, ...]


@cache
def all_families() -> tuple[Family, ...]:
    """In the order of panels and legends. Families that the tables above do not know follow in the order of the
    alphabet, each with the next marker and colour: no figure's choice of systems changes what a family looks like."""
    families = (found.family for found in (*declarations.systems(), *declarations.terms()))
    declared = {family for family in families if family is not None}
    return (*KNOWN, *new_families(declared), *LAST)


def new_families(declared: Iterable[str]) -> list[Family]:
    """Those of `declared` that no table knows."""
    known = {name for family in (*KNOWN, *LAST) for name in family.names}
    names = sorted(set(declared) - known)
    stars = ((points, 1, 0) for points in count(6))  # of ever more points
    markers: Iterator[Marker] = chain(("p", "8", "H"), stars)
    styles = zip(names, cycle(FREE_COLORS), markers, strict=False)
    return [Family(name[:1].upper() + name[1:], (name,), color, marker) for name, color, marker in styles]


def families_of(models: Mapping[str, VariantModel]) -> dict[str, Family]:
    """models: system -> its `model` in params.yaml."""
    return {name: family_of(model) for name, model in models.items()}


def family_of(model: VariantModel) -> Family:
    """Of a combination that of its terms, `COMBINED` if they are of several, `STAR` without terms, which that is; else
    that of the architecture. `OTHER` where nobody names a family."""
    of_name = {name: family for family in all_families() for name in family.names}
    if model.terms is None:
        return _named(declarations.system(model.arch), of_name)
    families = {_named(declarations.term(name), of_name) for name in model.terms} or {STAR}
    return families.pop() if len(families) == 1 else COMBINED


def _named(found: declarations.Declared | None, of_name: Mapping[str, Family]) -> Family:
    return OTHER if found is None or found.family is None else of_name.get(found.family, OTHER)


def label_of(variant: str, family: Family) -> str:
    """The system's name beside those of its family: without the word that all its architectures begin with."""
    archs = [found.name for found in declarations.systems() if found.family in family.names]
    words = {f"{arch.partition('_')[0]}_" for arch in archs}
    return variant.removeprefix(words.pop()) if len(words) == 1 < len(archs) else variant


def present(found: Iterable[Family]) -> list[Family]:
    """Those of `found`, each once, in the order of `all_families`."""
    there = set(found)
    return [family for family in all_families() if family in there]


def grouped(families: Families, most: int) -> list[Group]:
    """The systems by family, in their own order, at most `most` in a group: a large family has several."""
    groups = []
    for family in present(families.values()):
        members = [name for name, own in families.items() if own == family]
        for start in range(0, len(members), most):
            title = family.title if start == 0 else f"{family.title}, continued"
            groups.append(Group(title, tuple(members[start : start + most])))
    return groups
