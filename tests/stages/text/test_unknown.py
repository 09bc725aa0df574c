"""Unknown words of a translation: which source word stands in for them, and how."""

import numpy as np
import pytest

from stages.text.pieces import merge_pieces, unknown_words
from stages.text.unknown import attended_by, replace_unknown

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
    attended = attended_by({1}, attention)
    found = [replace_unknown(["a", "<unk>", "b"], attended, SOURCE, rule, BEST) for rule in RULES]
    assert found == [["a", word, "b"] for word in expected]


@pytest.mark.parametrize(
    ("word", "copied"),
    [("ähre", False), ("éa", False), ("Ähre", True), ("猫", True), ("12", True), ("'t", True), ("<unk>", True)],
)
def test_what_begins_in_lower_case_is_looked_up(word, copied):
    found = replace_unknown(["<unk>"], {0: 0}, [word], "lexical_lower", {word: "translated"})
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
    (place,) = attended_by({0}, np.array([weights])).values()
    assert SOURCE[place] == expected


def test_a_word_with_an_unknown_piece_is_unknown_and_one_that_is_spelled_so_is_not():
    pieces = ["un@@", "<unk>", "<unk>", "known", "<unknown>", "<@@", "unk>", "x@@", "<unk@@", ">"]
    unknown, target = unknown_words(pieces), merge_pieces(pieces)
    assert target == ["un<unk>", "<unk>", "known", "<unknown>", "<unk>", "x<unk>"]
    attention = np.array([looking_at(j) for j in (0, 1, 3, 3, 3, 3)])
    assert replace_unknown(target, attended_by(unknown, attention), SOURCE, "lexical", BEST) == [
        "the",
        "cat",
        *target[2:],
    ]


@pytest.mark.parametrize("rule", RULES)
def test_nothing_to_replace(rule):
    assert attended_by((), np.zeros((0, 5))) == {}
    assert replace_unknown(["a", "b"], {}, SOURCE, rule, BEST) == ["a", "b"]
    assert replace_unknown([], {}, SOURCE, rule, BEST) == []


@pytest.mark.parametrize("rule", RULES)
def test_unknown_words_that_attend_to_nothing_known_stay(rule):
    assert replace_unknown(["a", "<unk>"], {}, SOURCE, rule, BEST) == ["a", "<unk>"]
