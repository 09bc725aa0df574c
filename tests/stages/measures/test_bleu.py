"""BLEU against sacrebleu and worked examples."""

import math

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from stages.measures import bleu
from tests.stages.measures.translations import (
    COLUMNS,
    HYPOTHESES,
    REFERENCES,
    WORDS,
    bleu_of,
    exactly,
    random_totals,
    rows_of,
    v11b_of,
)


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("references", [1, 2])
def test_bleu_equals_sacrebleu(tokenize, lowercase, references):
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    expected = metric.corpus_score(HYPOTHESES, COLUMNS[:references])
    several = [pair[:references] for pair in REFERENCES]
    score = bleu.of_totals(rows_of(bleu.statistics, HYPOTHESES, several, bleu.scorer(tokenize, lowercase)).sum(axis=0))
    assert 20 < expected.score < 90
    assert score.score == exactly(expected.score)
    assert score.precisions == exactly(expected.precisions)
    assert (score.brevity_penalty, score.length_ratio) == exactly((expected.bp, expected.ratio))
    assert bleu.signature(tokenize, lowercase, references) == str(metric.get_signature())


def test_bleu_of_many_totals_at_once_equals_sacrebleu_one_by_one():
    totals = random_totals((5, 200), np.random.default_rng(0))
    score = bleu.of_totals(totals)
    assert score.score.shape == score.bleu1.shape == (5, 200)
    assert score.precisions.shape == (5, 200, 4)
    for place in np.ndindex(5, 200):
        system, reference, *counts = totals[place].tolist()
        expected = BLEU.compute_bleu(counts[:4], counts[4:], system, reference, smooth_method="exp")
        assert score.score[place] == exactly(expected.score)
        assert score.precisions[place] == exactly(expected.precisions)
        assert score.brevity_penalty[place] == exactly(expected.bp)
        assert score.length_ratio[place] == exactly(system / reference if reference else math.nan)


def test_bleu_columns_have_the_order_of_their_names():
    counts = bleu.statistics("the the cat", ["the cat sat down", "the cat"], WORDS)
    assert counts == bleu.Counts(3, 2, correct_1=2, correct_2=1, correct_3=0, correct_4=0,
                                 total_1=3, total_2=2, total_3=1, total_4=0)  # fmt: skip


@pytest.mark.parametrize("score_of", [bleu_of, v11b_of])
def test_bleu_clips_a_word_by_its_count_in_the_reference(score_of):
    score = score_of("the the cat", "the cat sat")
    assert (score.bleu1, score.bleu1_individual) == exactly((200 / 3, 200 / 3))


@pytest.mark.parametrize("score_of", [bleu_of, v11b_of])
def test_bleu_brevity_penalty_and_both_scores_of_one_gram(score_of):
    words = list("abcdefghij")
    score = score_of(" ".join(words[:9]), " ".join(words))
    assert score.brevity_penalty == pytest.approx(0.8948, abs=5e-5)
    assert (score.score, score.bleu1, score.bleu1_individual) == exactly((100 * math.exp(-1 / 9),) * 2 + (100,))


def test_bleu_case_matters_only_when_asked():
    rows = {
        low: bleu.statistics("THE cat sat down", ["the cat sat down"], bleu.scorer("none", low))
        for low in (True, False)
    }
    assert bleu.of_totals(np.array(rows[True])).score == pytest.approx(100)
    assert bleu.of_totals(np.array(rows[False])).score < 100
