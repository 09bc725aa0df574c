"""Settings with a bad value in one place: each place of params.yaml, each value that somebody may write there."""

import copy
import json
from collections.abc import Iterator
from math import inf, nan
from typing import Any

from tests.helpers import committed

Path = tuple[str | int, ...]

CORPORA, RECIPES = ("demo", "demo-small", "hansards-en-fr", "multi30k-de-en-short", "zh-en"), ("luong2015",)
"""A corpus of each kind, beside one of files, and a recipe: all others have the same keys."""
SYSTEMS = ("rnnsearch_star", "ba_cohn", "lvnmt", "transformer", "rnnsearch_50_long", "luong_global_general_no_feeding")
NOWHERE: tuple[Any, ...] = (
    -1, -0.001, 10**30, -(10**30), 1e300, nan, inf, -inf, "", " ", "a\nb", "a\0b", "x" * 10_000, [None], [[]], {"a": 1},
)  # fmt: skip
"""What is right in no place."""
SOMEWHERE: tuple[Any, ...] = (
    None, True, False, 0, 1, 0.5, "1", "true", "../a", "$(touch x)", "'; touch x; '", "é", [], {},
)  # fmt: skip
"""What is right in places where something of its kind stands."""
ONE_OF_A_KIND: tuple[Any, ...] = (-1, nan, "a\nb", [None], [[]], {"a": 1}, None, True, 0, 0.5, "1", [], {})
"""Enough where a mapping or a list stands: of numbers and texts each is as wrong there as any other."""
NAMED = {"corpora": 1, "variants": 1, "recipes": 1, "studies": 1}
"""Section -> how many names stand between it and the keys that all of it have."""
LOCAL = {
    "kind": "local", "source": "de", "target": "en", "limit": None, "match_lengths_of": None, "distinct": False,
    "mismatched_pairs": None, "max_length": 50, "lowercase": False,
    "train": ["train.de", "train.en"], "dev": {"source": "dev.de", "target": ["dev.en", "dev2.en"]},
    "tests": {"news": {"source": "news.de", "target": "news.en"}},
    "gold": {"source": "gold.de", "target": "gold.en", "align": "gold.align"}, "tokenised": True,
}  # fmt: skip


def settings() -> dict[str, Any]:
    """The committed ones with few systems, and with a corpus of each kind."""
    content = committed.params()
    rows = list(SYSTEMS)
    content["corpora"] = {name: content["corpora"][name] for name in CORPORA}
    content["recipes"] = {name: content["recipes"][name] for name in RECIPES}
    content |= {"sets": {"few": rows}, "fine_tuned_sets": {"few": {"cohn_globalfert": "ba_cohn"}}}
    content |= {"systems": rows, "fine_tuned": {"cohn_globalfert": "ba_cohn"}, "also_reverse": ["ba_cohn"]}
    content["variants"] = {name: content["variants"][name] for name in [*rows, "cohn_globalfert"]}
    content["titles"] = {name: content["titles"][name] for name in [*rows, "cohn_globalfert"]}
    for variant in content["variants"].values():
        there = {name: of for name, of in variant.pop("by_corpus", {}).items() if name in CORPORA}
        variant |= {"by_corpus": there} if there else {}
    content["variants"]["ba_cohn"]["by_corpus"] = {"demo": {"init_range": 0.2, "training": {"lr": 0.1}}}
    for corpus in content["corpora"].values():
        corpus["compare"] |= {"baseline": "rnnsearch_star", "rivals": ["lvnmt"]}
    content["corpora"]["mine"] = copy.deepcopy(content["corpora"]["demo"]) | {"corpus": LOCAL}
    content["studies"] = {name: content["studies"][name] for name in ("demo-small",)}
    return json.loads(json.dumps(content))  # nothing is there by way of two names


def leaves(node: Any, path: Path = ()) -> Iterator[Path]:
    """The places of every value, and of every mapping and list around them; of a list the first."""
    if path:
        yield path
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, key))
    elif isinstance(node, list) and node:
        yield from leaves(node[0], (*path, 0))


def places(content: dict[str, Any]) -> list[Path]:
    """One of the leaves of each kind: what stands below a corpus, say, is checked alike below every other.

    Two are of a kind if they differ in names alone and what stands there is of one type; the first is taken. What
    stands in a section that defaults, recipes and corpora have is of one kind wherever it does: one class reads it.
    """
    sections = content["defaults"]["corpus"].keys()
    first: dict[tuple, Path] = {}
    for path in leaves(content):
        named = NAMED.get(path[0], 0)
        kind = (path[0], *("*" for _ in path[1 : 1 + named]), *path[1 + named :])
        if path[:1] == ("corpora",) and path[2:3] == ("corpus",):
            kind = (*kind, content["corpora"][path[1]]["corpus"]["kind"])  # each has keys of its own
        elif path[0] in ("corpora", "recipes", "defaults"):
            shared = next((k for k in (1, 2) if path[k : k + 1] and path[k] in sections), len(path))
            kind = path[shared:] if path[shared + 1 :] else kind
        first.setdefault((kind, type(at(content, path))), path)
    return list(first.values())


def at(content: Any, path: Path) -> Any:
    return at(content[path[0]], path[1:]) if path else content


def placed(content: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """With the value in that place; what is not on the way to it is shared."""
    key, *rest = path
    node = copy.copy(content)
    node[key] = placed(node[key], tuple(rest), value) if rest else value
    return node
