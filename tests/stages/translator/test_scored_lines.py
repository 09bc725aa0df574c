"""A test set through the command gives what the report scores."""

import json

import pytest

from stages.files.text import read_lines
from stages.text.unknown import replace_unknown
from stages.translating.translations import read_translations
from tests.stages.translator.conftest import SYSTEMS, given

pytestmark = pytest.mark.training


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lines_are_those_that_were_scored(translate, translated, system):
    decoded = read_translations(translated.translations[system] / "test.jsonl")
    best = translated.lexicon
    scored = [replace_unknown(one.target, one.attended, one.source, "lexical", best) for one in decoded]
    assert translate(given(), system=system).splitlines() == [" ".join(words) for words in scored]
    if system != "rnnencdec":  # it does not attend, so nothing is replaced
        assert scored != [one.target for one in decoded]


def test_scores_and_attention_are_those_of_the_evaluate_stage(translate, translated):
    path = translated.translations["rnnsearch_star"] / "test.jsonl"
    expected = [json.loads(line) for line in read_lines(path)]
    found = [json.loads(line) for line in translate(given(), "--form", "json").splitlines()]
    assert [one["translations"][0]["score"] for one in found] == [one["score"] for one in expected]
    words = [one.attention for one in read_translations(path)]
    for one, attention in zip(found, words, strict=True):
        for row, weights in zip(one["translations"][0]["attention"], attention, strict=True):
            assert row == pytest.approx(weights, abs=1e-4)


def test_words_of_white_space_are_those_of_the_corpus(translate):
    (one,) = translate("\u3000 mao\u00a0ba \ufeff\n", "--form", "json").splitlines()
    assert json.loads(one)["source"][:3] == ["␣", "mao␣ba", "␣"]


def test_the_lines_do_not_depend_on_those_that_are_passed_through(translate):
    lines = given().splitlines()
    long = "mao " * 1001
    mixed = "".join(f"{line}\n\n{long}\n" for line in lines)
    found = translate(mixed).splitlines()
    assert found[::3] == translate(given()).splitlines()
    assert set(found[1::3]) == {""} and set(found[2::3]) == {long.strip()}
