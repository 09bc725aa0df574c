"""Repeated phrases: worked examples and the definition."""

import numpy as np
import pytest

from stages.measures import repeated


@pytest.mark.parametrize(
    ("sentence", "phrases", "ngrams"),
    [
        ("the united nations security council the united nations security council said", 1, 2),
        ("a b c d a b c d a b c d", 2, 5),
        ("a b c a b c", 0, 0),
        ("a a a a a a a", 0, 3),  # the first span of 4 ends at word 4, and 3 words are left
        ("a a a a a a a a", 1, 4),
        ("a b c d x a b c d e a b c d e", 2, 3),
        ("a b c d e a b c d x a b c d e", 2, 3),  # the longest earlier span, not the last one
        ("a b c", 0, 0),
        ("", 0, 0),
    ],
)
def test_repeated_phrases(sentence, phrases, ngrams):
    assert repeated.statistics(sentence.split()) == (phrases, ngrams)


def test_repeated_phrases_equal_their_definition():
    def naive(words):
        count = position = 0
        while position < len(words):
            spans = [
                n
                for n in range(4, len(words) - position + 1)
                if any(words[start : start + n] == words[position : position + n] for start in range(position - n + 1))
            ]
            count += bool(spans)
            position += max(spans, default=1)
        return count

    rng = np.random.default_rng(4)
    sentences = [rng.integers(1, alphabet + 1, size=40).tolist() for alphabet in (1, 2, 2, 2, 3, 3) for _ in range(5)]
    assert [repeated.statistics(words).phrases for words in sentences] == [naive(words) for words in sentences]


def test_repeated_phrases_of_a_set_are_summed():
    rows = np.array(
        [repeated.statistics(text.split()) for text in ("a b c d a b c d a b c d", "a b", "a a a a a a a a")]
    )
    assert repeated.of_totals(rows.sum(axis=0)) == (3, 9)
    assert repeated.of_totals(np.array([[[1, 2]], [[3, 4]]])).ngrams.tolist() == [[2], [4]]
