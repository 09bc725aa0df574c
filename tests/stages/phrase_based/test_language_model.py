"""Kneser and Ney's model: counts, discounts, and what Thot makes of its files."""

import math
import random
from collections import Counter
from pathlib import Path

import pytest

from stages.alignment import thot
from stages.phrase_based.language_model import BEGIN, END, discounts, ngram_counts, write_language_model

needs_thot = pytest.mark.skipif(thot.missing() is not None, reason=str(thot.missing()))


def sentences(number: int = 60) -> list[list[str]]:
    rng = random.Random(4)
    words = [chr(97 + k) for k in range(12)]
    return [[words[min(11, int(rng.expovariate(0.4)))] for _ in range(rng.randint(1, 9))] for _ in range(number)]


def test_short_ngrams_count_what_stands_before_them() -> None:
    one, two = ngram_counts([["a", "b"], ["a", "b"], ["c", "b"]], 2)
    assert two == {(BEGIN, "a"): 2, ("a", "b"): 2, ("b", END): 3, (BEGIN, "c"): 1, ("c", "b"): 1}
    assert one == {("a",): 1, ("b",): 2, ("c",): 1, (END,): 1}


def test_ngrams_that_begin_a_sentence_count_as_they_are() -> None:
    _, two, _ = ngram_counts([["a", "b"], ["a", "c"]], 3)
    assert two[BEGIN, "a"] == 2


def test_discounts_of_chen_and_goodman() -> None:
    """8, 4, 2 and 1 n-grams of counts 1 to 4: Y = 8 / 16."""
    counts = Counter({(str(k),): times for k, times in enumerate([1] * 8 + [2] * 4 + [3] * 2 + [4])})
    assert discounts(counts) == pytest.approx((1 - 2 * 0.5 * 4 / 8, 2 - 3 * 0.5 * 2 / 4, 3 - 4 * 0.5 * 1 / 2))


def kneser_ney(counts: list[Counter], word: str, history: tuple[str, ...]) -> float:
    """p(word | history), by the formula of Chen and Goodman (1999), Section 3."""
    vocabulary = {ngram[-1] for ngram in counts[0]} | {BEGIN}

    def probability(history: tuple[str, ...]) -> float:
        each = counts[len(history)]
        following = {ngram: count for ngram, count in each.items() if ngram[:-1] == history}
        shorter = probability(history[1:]) if history else None
        if not following:
            return shorter
        discount = discounts(each)
        taken = sum(discount[min(count, 3) - 1] for count in following.values())
        count = following.get((*history, word), 0)
        own = count - discount[min(count, 3) - 1] if count else 0.0
        below = shorter if history else 1 / (len(vocabulary) + RESERVED)
        return own / sum(following.values()) + taken / sum(following.values()) * below

    return probability(history)


RESERVED = 2  # Thot's vocabulary has symbols of its own, which share what the unigrams leave


@pytest.mark.slow
@needs_thot
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_thot_computes_the_formula(order: int, tmp_path: Path) -> None:
    text = sentences()
    counts = ngram_counts(text, order)
    write_language_model(text, order, tmp_path / "lm")
    model = thot.library("common").NGramLanguageModel()
    assert model.load(str(tmp_path / "lm"))
    for sentence in (["a", "b", "a"], ["l"], ["k", "j", "a", "a", "b"], text[0]):
        words = [*sentence, END]
        expected = 0.0
        for k, word in enumerate(words):
            history = (BEGIN, *words[:k])[-(order - 1) :] if order > 1 else ()
            expected += math.log10(kneser_ney(counts, word, history))
        assert model.get_sentence_log_probability(sentence) == pytest.approx(expected, abs=0.02)
    model.clear()


def test_files_do_not_depend_on_the_order_of_sentences(tmp_path: Path) -> None:
    write_language_model(sentences(), 3, tmp_path / "one")
    write_language_model(sentences()[::-1], 3, tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
