"""`dvc exp run -S` writes what it sets into params.yaml: it must arrive, and nothing else may change by it.

DVC merges the new values into the parsed file mapping by mapping. A mapping that stands in two places under one name
(`decoding: *decoding`) is one object there: what is set in one place changes the other, or is undone by the other.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from dvc.utils.hydra import apply_overrides

from stages.files.strict_yaml import parse, read_yaml
from tests.helpers.paths import ROOT

PARAMS = (ROOT / "params.yaml").read_text(encoding="utf-8")
SETTINGS = parse(PARAMS, ROOT / "params.yaml")
Leaf = tuple[tuple[str, ...], bool | float]


def leaves(node: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Leaf]:
    """Truth values and numbers below `node`, with the keys that lead to them."""
    for key, value in node.items():
        if isinstance(value, Mapping):
            yield from leaves(value, (*path, key))
        elif isinstance(value, bool | int | float):
            yield (*path, key), value


def after(found: list[Leaf], path) -> tuple[Any, Any]:
    """What is in params.yaml when DVC has set other values for these, and what should be."""
    path.write_text(PARAMS, encoding="utf-8")
    wanted = json.loads(json.dumps(SETTINGS))  # each mapping by itself
    overrides = []
    for where, value in found:
        node = wanted
        for key in where[:-1]:
            node = node[key]
        node[where[-1]] = not value if isinstance(value, bool) else value + 1
        overrides.append(f"{'.'.join(where)}={str(node[where[-1]]).lower()}")
    apply_overrides(path, overrides)
    return read_yaml(path), wanted


def mappings(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All of them below `node`."""
    for value in node.values():
        if isinstance(value, Mapping):
            yield value
            yield from mappings(value)


CORPORA = [name for name in SETTINGS["corpora"] if not name.startswith(("nist", "wmt"))]


def test_no_mapping_of_a_corpus_stands_in_a_second_place():
    times = Counter(map(id, mappings(SETTINGS)))
    for name in CORPORA:
        assert {times[id(one)] for one in mappings({name: SETTINGS["corpora"][name]})} == {1}, name


@pytest.mark.slow
@pytest.mark.parametrize("corpus", [SETTINGS["corpus"], "multi30k-de-en-short", "iwslt14-de-en"])
def test_what_dvc_sets_of_a_corpus_arrives_and_changes_nothing_else(corpus, tmp_path):
    found = list(leaves(SETTINGS["corpora"][corpus], ("corpora", corpus)))
    assert len(found) > 60
    is_there, wanted = after(found, tmp_path / "params.yaml")
    assert is_there == wanted


@pytest.mark.slow
def test_what_dvc_sets_of_a_system_arrives_and_changes_nothing_else(tmp_path):
    found = list(leaves(SETTINGS["variants"]["rnnsearch_50_long"], ("variants", "rnnsearch_50_long")))
    is_there, wanted = after(found, tmp_path / "params.yaml")
    assert len(found) == 6 and is_there == wanted


@pytest.mark.slow
def test_what_dvc_sets_of_a_corpus_of_ones_own_arrives_and_changes_no_other_corpus(tmp_path):
    """`<<: *corpus`, as docs/corpora.md has it: that of the defaults changes with it, which nothing else uses."""
    path = tmp_path / "params.yaml"
    path.write_text(PARAMS.replace("\ncorpora:\n", "\ncorpora:\n  mine: {<<: *corpus}\n"), encoding="utf-8")
    apply_overrides(path, ["corpora.mine.decoding.beam=4", "corpora.mine.training.optimizer.weight_decay=0.25"])
    corpora = read_yaml(path)["corpora"]
    mine = corpora.pop("mine")
    assert (mine["decoding"]["beam"], mine["training"]["optimizer"]["weight_decay"]) == (4, 0.25)
    assert corpora == SETTINGS["corpora"]
