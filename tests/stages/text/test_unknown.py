"""Unknown words of a translation: which source word stands in for them, and how."""

import numpy as np
import pytest

from stages.text.pieces import merge_pieces, unknown_words
from stages.text.unknown import replace_unknown

SOURCE = ["die", "Katze", "Miez", "schnurrt"]
BEST = {"die": "the", "Katze": "cat", "Miez": "puss", "<unk>": "never"}
RULES = ("none", "copy", "lexical", "lexical_lower")


def looking_at(j: int) -> list[float]:
    """Weights over the source and its end of sentence, the highest at ``j``."""
    weights = [0.1] * 5
    weights[j] = 0.6
    return weights


@pytest.mark.parametrize(
    ("j", "expected"),
    [
        (0, ["<unk>", "die", "the", "the"]),
        (1, ["<unk>", "Katze", "cat", "Katze"]),
        (3, ["<unk>", "schnurrt", "schnurrt", "schnurrt"]),  # the lexicon lacks it
    ],
)
def test_rules(j, expected):
    attention = np.array([looking_at(2), looking_at(j), looking_at(1)])
    found = [replace_unknown(["a", "<unk>", "b"], {1}, SOURCE, attention, rule, BEST) for rule in RULES]
    assert found == [["a", word, "b"] for word in expected]


@pytest.mark.parametrize(
    ("word", "copied"),
    [("ähre", False), ("éa", False), ("Ähre", True), ("猫", True), ("12", True), ("'t", True), ("<unk>", True)],
)
def test_what_begins_in_lower_case_is_looked_up(word, copied):
    found = replace_unknown(["<unk>"], {0}, [word], np.array([[1.0, 0]]), "lexical_lower", {word: "translated"})
    assert found == [word if copied else "translated"]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0.1, 0.3, 0.0, 0.0, 0.6], "Katze"),  # the end of sentence counts as 0
        ([0.0, 0.0, 0.0, 0.0, 1.0], "die"),
        ([0.0, 0.3, 0.3, 0.3, 0.1], "Katze"),  # the first of equals
    ],
)
def test_the_word_attended_to(weights, expected):
    assert replace_unknown(["<unk>"], {0}, SOURCE, np.array([weights]), "copy", {}) == [expected]


def test_a_word_with_an_unknown_piece_is_unknown_and_one_that_is_spelled_so_is_not():
    pieces = ["un@@", "<unk>", "<unk>", "known", "<unknown>", "<@@", "unk>", "x@@", "<unk@@", ">"]
    unknown, target = unknown_words(pieces), merge_pieces(pieces)
    assert target == ["un<unk>", "<unk>", "known", "<unknown>", "<unk>", "x<unk>"]
    attention = np.array([looking_at(j) for j in (0, 1, 3, 3, 3, 3)])
    assert replace_unknown(target, unknown, SOURCE, attention, "lexical", BEST) == ["the", "cat", *target[2:]]


@pytest.mark.parametrize("rule", RULES)
def test_nothing_to_replace(rule):
    attention = np.array([looking_at(0), looking_at(1)])
    assert replace_unknown(["a", "b"], (), SOURCE, attention, rule, BEST) == ["a", "b"]
    assert replace_unknown([], (), SOURCE, np.zeros((0, 5)), rule, BEST) == []


@pytest.mark.parametrize("rule", RULES)
def test_without_attention_unknown_words_stay(rule):
    assert replace_unknown(["a", "<unk>"], {1}, SOURCE, None, rule, BEST) == ["a", "<unk>"]


def test_attention_of_another_sentence():
    with pytest.raises(ValueError, match="zip"):
        replace_unknown(["a", "<unk>"], {1}, SOURCE, np.array([looking_at(0)]), "copy", {})
