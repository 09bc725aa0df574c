"""Which system without attention is shown, and beside which one."""

from typing import Any

import pytest

from stages.reporting.examples.counterparts import counterparts, longest_trained
from stages.reporting.study_spec import StudySpec
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel


def spec(own: dict[str, dict[str, Any]], text: int | None = None, **asked: Any) -> StudySpec:
    """Of systems that are called by their architecture and what follows a dot. own: their own settings; text: the
    longest sentences of the training text; asked: of the spec."""
    compare = CompareSettings(baseline="x", rivals=[], resamples=9, level=0.05, seed=1)
    settings = ReportSettings(sentence=None, shortest=4, longest=6)
    recipes = {"training": {"max_length": 60}, "train_text": {"max_length": text} if text else {}, "own_settings": own}
    models = {name: VariantModel(arch=name.split(".")[0]) for name in own}
    return StudySpec("demo", dict.fromkeys(own, "title"), (1,), [], settings, compare, recipes, models, **asked)


THIRTY, FIFTY = {"max_length": 30}, {"max_length": 50}


@pytest.mark.parametrize(
    ("own", "pair"),
    [
        ({"rnnencdec": {}, "rnnsearch_star": {}, "rnnsearch": {}}, ("rnnencdec", "rnnsearch")),
        (
            {"rnnencdec.30": THIRTY, "rnnencdec.50": FIFTY, "rnnsearch.30": THIRTY, "rnnsearch.50": FIFTY},
            ("rnnencdec.50", "rnnsearch.50"),
        ),
        ({"rnnencdec.a": FIFTY, "rnnencdec.b": FIFTY, "rnnsearch": {}}, ("rnnencdec.a", "rnnsearch")),
        ({"rnnencdec.50": FIFTY, "rnnencdec": {}, "rnnsearch.50": FIFTY}, ("rnnencdec", "rnnsearch.50")),
        (
            {"rnnsearch.long": FIFTY | {"max_epoch": 9}, "rnnsearch.50": FIFTY, "rnnencdec.50": FIFTY},
            ("rnnencdec.50", "rnnsearch.50"),
        ),
        (
            {"rnnencdec": FIFTY | {"max_epoch": 6}, "rnnsearch.a": FIFTY, "rnnsearch.b": FIFTY | {"max_epoch": 5}},
            ("rnnencdec", "rnnsearch.a"),
        ),
        ({"rnnencdec": {}, "rnnsearch_star": {}, "smt": {}, "mine": {}}, None),
        ({"rnnsearch": {}, "smt": {}}, None),
    ],
    ids=[
        "additive attention alone is added",
        "the longest sentences",
        "the first of equals",
        "the limit of the corpus",
        "the nearest settings",
        "the first of those as near",
        "no attention that is added",
        "none without attention",
    ],
)
def test_the_pair_is_chosen_by_settings(own: dict[str, dict[str, Any]], pair: tuple[str, str] | None) -> None:
    assert counterparts(spec(own)) == pair


def test_systems_that_build_on_others_are_no_counterparts() -> None:
    own = {"rnnsearch.on": {}, "rnnsearch": {}, "rnnencdec": {}}
    assert counterparts(spec(own, fine_tuned={"rnnsearch.on": "rnnsearch"})) == ("rnnencdec", "rnnsearch")


@pytest.mark.parametrize(
    ("own", "text", "longest"), [({}, None, 60), (FIFTY, None, 50), (FIFTY, 55, 50), (FIFTY, 40, 40), ({}, 55, 55)]
)
def test_the_limits_of_training_and_of_the_text_say_what_is_long(own: dict[str, int], text: int, longest: int) -> None:
    assert longest_trained(spec({"rnnencdec": own}, text), "rnnencdec") == longest


def test_without_a_limit_no_sentence_is_too_long() -> None:
    assert longest_trained(spec({"rnnencdec": {"max_length": None}}), "rnnencdec") == float("inf")
