"""params.yaml: any file means the same to us and to DVC or is refused, and any value in any place is one sentence."""

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from dvc.utils.serialize import parse_yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.settings.schema import check
from tests.attack import strategies, study
from tests.attack.refusals import refusal

SCALARS = (
    *("yes", "no", "on", "null", "~", "", "010", "0o10", "0x1F", "1_000", "1:30", "1e3", "1e-8", ".5", "-.inf", ".NaN"),
    *(
        "2001-01-01",
        "'a'",
        '"\\x41"',
        '"\\u202e"',
        "!!str 1",
        "!!python/name:os.system",
        "*a",
        "&a 1",
        "=",
        "<<",
        "? a",
    ),
    *("[1, 2]", "{a: 1, a: 2}", "|", ">-", "# c", "%YAML 1.1", "---", "...", "@a", "`a", "$(touch x)", "1 000", "+1"),
)
text = st.sampled_from(SCALARS) | strategies.words
yaml_lines = st.tuples(st.sampled_from(["", "  ", "- ", "  - "]), text, st.sampled_from([": ", ":", ""]), text).map(
    "".join
)
documents = st.lists(yaml_lines, max_size=6).map("\n".join).map(str.encode)
values = st.one_of(
    st.sampled_from([None, True, False, -1, 0, 2**63, 1e308, float("inf"), float("nan"), "", [], {}, "1", "last"]),
    st.integers(), st.floats(), strategies.words, st.lists(st.integers(), max_size=3),
    st.dictionaries(strategies.words, st.integers(), max_size=2),
)  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("params") / "params.yaml"


@given(content=documents | strategies.files)
def test_what_is_read_is_what_dvc_reads(path, content):
    path.write_bytes(content)
    try:
        found = read_yaml(path)
    except InputError as error:
        refusal(error, path)
        return
    assert same(found or {}, parse_yaml(content.decode(), str(path)) or {})


def same(ours: Any, theirs: Any) -> bool:
    """Equal, with types: true is not 1."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return type(ours) is type(theirs) and (ours == theirs or (ours != ours and theirs != theirs))


@cache
def places() -> list[tuple]:
    return list(_places(study.params()))


def _places(node: Any, path: tuple = ()):
    if path:
        yield path
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _places(value, (*path, key))


@settings(max_examples=settings().max_examples // 3)  # each takes a while
@given(st.data(), values)
def test_any_value_in_any_place_is_refused_in_one_sentence_or_harmless(data, value):
    content = copy.deepcopy(study.params())
    *way, last = data.draw(st.sampled_from(places()))
    node = content
    for key in way:
        node = node[key]
    node[last] = value
    try:
        check(content)
    except InputError as error:
        assert "\n" not in str(error) and str(error).startswith("params.yaml: ")
