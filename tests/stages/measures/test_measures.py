"""Measures of translations against their worked examples, second implementations and degenerate input."""

import math

import numpy as np
import pytest
import sacrebleu

from stages.measures import bleu, perplexity, repeated

# Repetition


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


# BLEU


HYPOTHESES = ["The cat sat on the mat .", "a dog barked", "", "nothing in common", "The The the cat"]
REFERENCES = [
    ("the cat sat on a mat .", "The cat was on the mat ."),
    ("A dog barked loudly", "a dog was barking"),
    ("silence", "quiet please"),
    ("wholly different words here", "others"),
    ("The cat sat", "the cat"),
]


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("references", [1, 2])
def test_bleu_rows_add_up_to_sacrebleu(tokenize, lowercase, references):
    columns = list(zip(*REFERENCES, strict=True))[:references]
    metric = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase)
    expected = metric.corpus_score(HYPOTHESES, columns)
    scorer = bleu.scorer(tokenize, lowercase)
    rows = [bleu.statistics(h, r[:references], scorer) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    score = bleu.aggregate(np.array(rows))
    assert score.score == pytest.approx(expected.score)
    assert score.score > 0
    assert score.precisions == pytest.approx(expected.precisions)
    assert (score.brevity_penalty, score.length_ratio) == pytest.approx((expected.bp, expected.ratio))
    assert bleu.signature(tokenize, lowercase, references) == str(metric.get_signature())


def test_bleu_case_matters_only_when_asked():
    rows = {
        low: bleu.statistics("THE cat sat down", ["the cat sat down"], bleu.scorer("none", low))
        for low in (True, False)
    }
    assert bleu.of_totals(np.array(rows[True])).score == pytest.approx(100)
    assert bleu.of_totals(np.array(rows[False])).score < 100


def test_bleu_clips_unigrams():
    score = bleu.of_totals(np.array(bleu.statistics("the the cat", ["the cat sat"], bleu.scorer("none", True))))
    assert (score.precisions[0], score.brevity_penalty) == pytest.approx((100 * 2 / 3, 1))


def test_bleu_brevity_penalty():
    words = list("abcdefghij")
    row = bleu.statistics(" ".join(words[:9]), [" ".join(words)], bleu.scorer("none", True))
    score = bleu.of_totals(np.array(row))
    assert score.brevity_penalty == pytest.approx(0.8948, abs=5e-5)
    assert (score.score, score.length_ratio) == pytest.approx((100 * math.exp(-1 / 9), 0.9))


# Perplexity


def test_perplexity_counts_every_token_of_the_corpus_alike():
    # exp(-sum log p / sum T): 4 tokens at 1/2 and 2 at 1/16, not the mean of the sentences' perplexities 2 and 16
    rows = [perplexity.statistics([math.log(0.5)] * 4), perplexity.statistics([math.log(1 / 16)] * 2)]
    assert perplexity.aggregate(np.array(rows)) == pytest.approx(4.0)


# Degenerate input


def test_degenerate_translations():
    scorer = bleu.scorer("none", True)
    score = bleu.aggregate(np.array([bleu.statistics("", ["a b"], scorer)]))
    assert (score.score, score.brevity_penalty, score.length_ratio) == (0, 0, 0)
    assert list(score.precisions) == [0, 0, 0, 0]
    assert math.isnan(bleu.aggregate(np.array([bleu.statistics("", [""], scorer)])).length_ratio)
    assert math.isnan(perplexity.aggregate(np.array([perplexity.statistics([])])))
    assert repeated.aggregate(np.array([repeated.statistics([])])) == (0, 0)
