"""Every place of params.yaml times every bad value: one sentence, or a value that is right there."""

import re
from fnmatch import fnmatch
from numbers import Real
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.settings.schema import check
from stages.training.check import check_models
from tests.stages.settings.bad_values import (
    NOWHERE,
    ONE_OF_A_KIND,
    SOMEWHERE,
    Path,
    at,
    leaves,
    placed,
    places,
    settings,
)

CONTENT = settings()
EMPTY = (
    "recipes", "fine_tuned", "decoded", "also_reverse", "read_outs", "smt", "defaults.study.*", "defaults.fine_tuning",
    "defaults.*corpus.fine_tuning", "defaults.*.rivals", "training_sizes", "released", "released_smt", "sets", "sets.*",
    "fine_tuned_sets", "fine_tuned_sets.*", "titles", "studies.*.*",
    "variants.*.terms", "variants.*", "variants.*.training", "variants.*.by_corpus", "variants.*.by_corpus.*",
    "corpora.*.compare.rivals", "corpora.*.fine_tuning",
)  # fmt: skip
"""Lists and mappings that may have nothing in them."""
NULL = (
    "variants.*", "variants.*.terms", "variants.*.training.max_length", "*.supervision", "*.training.max_sentences",
    "*.corpus.limit", "*.corpus.train.*.limit", "*.corpus.dev.limit", "*.corpus.dev.max_length",
    "*.corpus.tests.*.limit", "*.corpus.tests.*.max_length", "*.corpus.mismatched_pairs.ratio", "*.match_lengths_of",
    "*.mismatched_pairs", "*.long_test", "*.limit", "*.sizes.*_dim",
    "*.corpus.gold", "*.segmentation.word_vocabulary.*", "*.model.*_dim", "*.training.max_length",
    "*.training.max_tokens", "*.training.anneal_epoch", "*.training.lr_shrink", "*.wordalign.iterations",
    "*.report.sentence", "*.smt.tuning.sentences",
)  # fmt: skip
"""Places that null says something about."""
NUMBER = ("*.training.anneal_epoch", "*.training.length_multiple")
"""Places of a number or a word."""
TEXT = ("titles.*", "corpora.*.corpus.*.*", "corpora.*.corpus.*.source", "corpora.*.corpus.*.target")
"""Titles and paths: any text of one line."""
OF_ARCHITECTURE = "variants.*.*"
"""What only the architecture knows, see below."""
OPTIONS_OF_ARCHITECTURE = ("variants.*", "variants.*.by_corpus.*")
"""Mappings whose keys only the architecture knows."""


def dotted(path: Path) -> str:
    return ".".join(map(str, path))


def matches(path: Path, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(dotted(path), pattern) for pattern in patterns)


def may_be_right(path: Path, value: Any) -> bool:
    """Whether the value is of a kind that has its place there."""
    there = at(CONTENT, path)
    if value is None:
        return matches(path, NULL)
    if value in ([], {}) and isinstance(value, list | dict):
        return type(value) is type(there) and matches(path, EMPTY)
    if isinstance(value, bool):
        return isinstance(there, bool)
    if isinstance(value, Real):
        number = isinstance(there, Real) and not isinstance(there, bool)
        return number or there is None or matches(path, NUMBER)
    word = isinstance(there, str) and re.fullmatch("[a-z]+", value) is not None
    return word or matches(path, TEXT)


def of_options(path: Path, value: Any) -> bool:
    """Whether it is a mapping of options, whatever their names."""
    return len(path) in (2, 4) and matches(path, OPTIONS_OF_ARCHITECTURE) and value == {"a": 1}


@pytest.fixture(scope="module", autouse=True)
def _they_are_right_as_they_are():
    check_models(check(CONTENT))


OPTIONS = [
    path
    for path in leaves(CONTENT)
    if fnmatch(dotted(path), OF_ARCHITECTURE) and len(path) == 3 and path[2] not in ("training", "arch", "by_corpus")
]
PLACES = {
    "test_a_bad_value_is_one_sentence_that_names_its_place": places(CONTENT),
    "test_a_bad_option_of_an_architecture_is_one_sentence": OPTIONS,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Places, and which values are tried there: quickly a fifth of them, the next place's another one, else all."""
    places, quick = PLACES[metafunc.function.__name__], metafunc.config.getoption("quick")
    cases = [(path, slice(k % 5, None, 5) if quick else slice(None)) for k, path in enumerate(places)]
    metafunc.parametrize(("path", "share"), cases, ids=map(dotted, places))


def test_a_bad_value_is_one_sentence_that_names_its_place(path, share):
    values = ONE_OF_A_KIND if isinstance(at(CONTENT, path), dict | list) else (*NOWHERE, *SOMEWHERE)
    for value in values[share]:
        try:
            check(placed(CONTENT, path, value))
        except InputError as error:
            message = str(error)
            assert message.startswith("params.yaml: ") and "\n" not in message and "\0" not in message
            named = {str(part) for part in path if part != 0} & set(re.findall(r"[\w-]+", message))
            assert named and len(message) < 3000
        else:
            of_architecture = of_options(path, value) or (matches(path, (OF_ARCHITECTURE,)) and value not in NOWHERE)
            assert of_architecture or (may_be_right(path, value) and value not in NOWHERE), (dotted(path), value)


RIGHT_FOR_ARCHITECTURES = {
    "encoder_layers": (0, 1), "decoder_layers": (0, 1), "encoder_ffn_embed_dim": (1,), "dropout": (0, 0.5),
    "encoder_attention_heads": (1,), "decoder_attention_heads": (1,), "candidate_frequent": (None, 0, 1),
    "input_feeding": (None, True, False, "true"), "terms": ([],),
    "encoder_normalize_before": (True, False), "decoder_normalize_before": (True, False),
    "share_decoder_input_output_embed": (True, False), "by_corpus": ({},),
}  # fmt: skip
"""Of the options that stand in the settings; null leaves one to its architecture."""


def test_a_bad_option_of_an_architecture_is_one_sentence(path, share):
    system, option = path[1], path[2]
    alone = {"systems": list(dict.fromkeys(["rnnsearch_star", system])), "fine_tuned": {}, "also_reverse": []}
    right = list(map(repr, RIGHT_FOR_ARCHITECTURES.get(option, ())))
    for value in SOMEWHERE[share]:
        try:
            check_models(check(placed(CONTENT, path, value) | alone))
        except InputError as error:
            assert "\n" not in str(error) and f"variants.{system}" in str(error)
            assert repr(value) not in right
        else:
            assert repr(value) in right, value
