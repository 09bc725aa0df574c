"""Which sentences the rules choose as examples."""

from collections.abc import Sequence

import numpy as np
import pytest

from stages.reporting.examples.counterparts import Pair
from stages.reporting.examples.rules import Case, Example, agreements, faults, long_sentences, lost_ends
from stages.reporting.examples.sentence_scores import Aligned, AttentionErrors, SystemScores


def system(
    left_out: list[int] | None, bleu: list[float], short: list[int] | None = None, whole: float = 0.0
) -> SystemScores:
    """left_out: how many words of each sentence; None without attention."""
    seen = None if left_out is None else [AttentionErrors((), tuple(range(number)), ()) for number in left_out]
    return SystemScores(np.array(bleu), whole, np.array(short or [1] * len(bleu)), seen)


def shown(cases: tuple[Case, Case]) -> list[Example | None]:
    return [case.example for case in cases]


def left_out(
    scores: dict[str, SystemScores], lost: bool = True, free: Sequence[int] | None = None
) -> list[Example | None]:
    free = range(len(scores["base"].bleu)) if free is None else free
    return shown(faults(scores, "base", "left_out", lost, free))


def test_the_worst_sentence_has_most_words_then_the_lowest_bleu_then_comes_first() -> None:
    assert left_out({"base": system([1, 3, 2], [5, 50, 5], short=[9, 9, 9])}) == [Example(1, ("base",)), None]
    assert left_out({"base": system([3, 3, 3], [9, 5, 5], short=[9, 9, 9])}) == [Example(1, ("base",)), None]


def test_a_repair_has_fewer_words_and_more_bleu_the_fewest_first_and_of_equals_the_first_row() -> None:
    scores = {
        "worse": system([0, 0], [0, 9]),
        "silent": system(None, [0, 99]),
        "one": system([0, 1], [0, 90]),
        "base": system([0, 3], [0, 20]),
        "none": system([0, 0], [0, 30]),
        "equal": system([0, 0], [0, 30]),
    }
    assert left_out(scores)[0] == Example(1, ("base", "none"))


def test_the_worst_of_the_others_stands_beside_the_baseline_with_another_sentence() -> None:
    lacks = [9, 9, 9]
    scores = {
        "base": system([2, 9, 1], [5, 5, 5], lacks),
        "late": system([2, 9, 4], [9, 9, 9], lacks),
        "later": system([0, 9, 4], [9, 9, 9], lacks),
    }
    assert left_out(scores) == [Example(1, ("base",)), Example(2, ("late", "base"))]


def test_words_are_lost_up_to_the_number_that_a_translation_lacks() -> None:
    scores = {"base": system([4, 8, 3], [5, 5, 5], short=[0, 2, 3])}
    assert left_out(scores)[0] == Example(2, ("base",))
    assert left_out(scores, lost=False)[0] == Example(1, ("base",))


def test_only_sentences_that_are_free_are_chosen() -> None:
    assert left_out({"base": system([4, 8, 3], [5, 5, 5])}, lost=False, free=[0, 2])[0] == Example(0, ("base",))


@pytest.mark.parametrize(
    ("scores", "whys"),
    [
        (
            {"base": system([0], [5]), "b": system([0], [5])},
            ["of the baseline qualifies", "of another system qualifies"],
        ),
        ({"base": system(None, [5]), "b": system([0], [5])}, ["has no attention", "of another system qualifies"]),
        ({"base": system(None, [5])}, ["has no attention", "of another system qualifies"]),
    ],
)
def test_where_nothing_qualifies_the_page_says_so(scores, whys) -> None:
    cases = faults(scores, "base", "left_out", lost=True, free=[0])
    assert shown(cases) == [None, None]
    assert all(why in case.why for case, why in zip(cases, whys, strict=True))


def test_a_baseline_without_attention_still_stands_beside_the_worst() -> None:
    assert left_out({"base": system(None, [5]), "b": system([2], [5])}) == [None, Example(0, ("b", "base"))]


def test_long_sentences_are_the_longest_tenth_and_those_as_long() -> None:
    lengths = [30, 8, 29, 29, *[7] * 16]  # the longest two, and one as long as the second
    base, other = [0.0] * 20, [90.0] * 20
    base[3], other[:4] = 30.0, [10.0, 99.0, 20.0, 0.0]
    scores = {"base": system(None, base, whole=5), "other": system(None, other, whole=5)}
    kept, lost = Example(2, ("base", "other")), Example(3, ("other", "base"))
    assert shown(long_sentences(scores, "base", lengths, range(20))) == [kept, lost]
    assert shown(long_sentences(scores, "base", lengths, [0, 1, 3])) == [kept._replace(sentence=0), lost]


def test_a_worse_system_is_no_example_of_a_loss() -> None:
    scores = {"base": system(None, [90], whole=5), "worse": system(None, [0], whole=4.9)}
    assert shown(long_sentences(scores, "base", [9], [0])) == [None, None]


@pytest.mark.parametrize(
    ("without", "attending", "chosen"),
    [
        ([1, 0, 4, 3], [2, 5, 10, 6], 2),
        ([0, 1, 2, 9], [3, 5, 6, 9], 1),
        ([5, 5, 5, 5], [5, 4, 5, 9], None),
        ([], [], None),
    ],
    ids=["the largest loss", "the first of equals", "no loss of a free one", "no sentence"],
)
def test_the_end_is_lost_in_the_sentence_with_the_largest_loss(without, attending, chosen) -> None:
    pair = Pair("without", "attending")
    case = lost_ends({"without": without, "attending": attending}, pair, range(len(without))[:3])
    assert case.example == (None if chosen is None else Example(chosen, pair))
    assert case.example or "no such sentence" in case.why


def test_agreement_goes_by_error_rates_of_sentences_with_enough_words() -> None:
    aligned = {
        "base": Aligned(np.array([50, 50, np.nan, 10.0]), 20.0),
        "good": Aligned(np.array([0, 30, 0, 40.0]), 15.0),
        "bad": Aligned(np.array([0, 45, 0, 99.0]), 25.0),
    }
    kept, lost = Example(1, ("base", "good")), Example(3, ("good", "base"))
    assert shown(agreements(aligned, "base", [3, 10, 10, 10], least=10)) == [kept, lost]
    assert shown(agreements(aligned, "silent", [3, 10, 10, 10], least=10)) == [None, None]
