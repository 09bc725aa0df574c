"""Which rows belong together: families share a panel, a colour and a marker."""

from collections.abc import Iterable
from typing import NamedTuple

from stages.reporting.style import PALETTE

BLUE, VERMILLION, GREEN, PINK, SKY, ORANGE, BLACK = PALETTE
GREY = "#8a8a8a"


class Family(NamedTuple):
    """Rows whose names begin with one of `prefixes`; the longest that fits decides. No two have the same marker."""

    title: str
    prefixes: tuple[str, ...]
    color: str
    marker: str


FAMILIES = (
    Family("RNNencdec and RNNsearch", ("rnnencdec", "rnnsearch"), SKY, "o"),
    Family("RNNsearch* (dl4mt)", ("rnnsearch_star",), BLACK, "*"),
    Family("History (Xue et al. 2019)", ("sa_nmt", "ta_nmt", "ba_nmt"), VERMILLION, "^"),
    Family("Coverage (Tu et al. 2016)", ("coverage_",), BLUE, "s"),
    Family("Coverage embeddings (Mi et al. 2016)", ("covemb_",), GREEN, "D"),
    Family("Bridging (Kuang et al. 2018)", ("bridging_",), PINK, "v"),
    Family("Luong et al. 2015", ("luong_",), ORANGE, "P"),
    Family("Biases (Cohn et al. 2016)", ("cohn_",), BLUE, "<"),
    Family("Interactive, recurrent, gated", ("interactive_", "recurrent_", "gatt"), GREEN, ">"),
    Family("Reconstructions (Feng, Wang)", ("feng_", "dhea"), PINK, "h"),
    Family("BA-NMT combined", ("ba_",), VERMILLION, "d"),
)
OTHER = Family("Others", (), GREY, "X")
HISTORY = FAMILIES[2]


class Group(NamedTuple):
    """Rows that share a panel."""

    title: str
    variants: tuple[str, ...]


def family_of(variant: str) -> Family:
    """The family of a row; `OTHER` for a name that no prefix fits."""
    prefixes = {prefix: family for family in FAMILIES for prefix in family.prefixes}
    fitting = [prefix for prefix in prefixes if variant.startswith(prefix)]
    return prefixes[max(fitting, key=len)] if fitting else OTHER


def label_of(variant: str) -> str:
    """The row's name beside those of its family: without a prefix that all of them share."""
    prefixes = family_of(variant).prefixes
    return variant.removeprefix(prefixes[0]) if len(prefixes) == 1 and prefixes[0].endswith("_") else variant


def families(variants: Iterable[str]) -> list[Family]:
    """Those that have a row, in their own order."""
    present = set(map(family_of, variants))
    return [family for family in (*FAMILIES, OTHER) if family in present]


def grouped(variants: Iterable[str], most: int) -> list[Group]:
    """The rows by family, in their own order, at most `most` in a group: a large family has several."""
    rows = list(variants)
    groups = []
    for family in families(rows):
        members = [name for name in rows if family_of(name) is family]
        for start in range(0, len(members), most):
            title = family.title if start == 0 else f"{family.title}, continued"
            groups.append(Group(title, tuple(members[start : start + most])))
    return groups
