"""chrF, BLEU by source length, perplexity and repeated phrases; degenerate translations; time."""

import math

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from stages.measures import bleu, bleu_v11b, chrf, length_buckets, perplexity, repeated, ter, ter_minus_bleu
from tests.helpers.growth import assert_linear
from tests.stages.measures.translations import COLUMNS, HYPOTHESES, REFERENCES, SPACES, WORDS, exactly, rows_of

# chrF


@pytest.mark.parametrize("references", [1, 2])
def test_chrf_equals_sacrebleu(references):
    metric = CHRF()
    expected = metric.corpus_score(HYPOTHESES, COLUMNS[:references]).score
    rows = rows_of(chrf.statistics, HYPOTHESES, [pair[:references] for pair in REFERENCES])
    assert chrf.of_totals(rows.sum(axis=0)) == exactly(expected)
    assert 40 < expected < 95
    assert chrf.signature(references) == str(metric.get_signature())


def test_chrf_example():
    # of 'abc' and 'abd' 2 of 3 letters, 1 of 2 pairs and 0 of 1 triples are equal
    assert chrf.of_totals(np.array(chrf.statistics("abc", ["abd"]))) == exactly(100 * (2 / 3 + 1 / 2) / 3)
    # 'a' has no pair, so only single letters count
    assert chrf.of_totals(np.array(chrf.statistics("a", ["ab"]))) == exactly(100 * 5 * 0.5 / (4 + 0.5))
    # recall 1 and precisions 2/4, 1/3: the means are 1 and 5/12
    assert chrf.of_totals(np.array(chrf.statistics("a b cd", ["ab"]))) == exactly(100 * 5 * (5 / 12) / (4 * 5 / 12 + 1))


def test_chrf_of_many_totals_at_once():
    rows = rows_of(chrf.statistics, HYPOTHESES[:3], REFERENCES[:3])
    weights = np.array([[[0, 0, 1], [1, 0, 0]], [[1, 2, 3], [0, 0, 0]]])
    values = chrf.of_totals(weights @ rows)
    expected = [CHRF().corpus_score(HYPOTHESES[2:3], [[one] for one in REFERENCES[2]]).score, 0]
    assert values[0] == exactly(expected)
    repeats = [0, 1, 1, 2, 2, 2]
    columns = [[REFERENCES[k][side] for k in repeats] for side in (0, 1)]
    expected = [CHRF().corpus_score([HYPOTHESES[k] for k in repeats], columns).score, 0]
    assert values[1] == exactly(expected)


# BLEU by source length


def test_length_buckets():
    assert length_buckets.BUCKETS == ("1-10", "11-20", "21-30", "31-40", "41-50", ">50")
    lengths = [1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 400]
    assert length_buckets.bucket(lengths).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_length_buckets_refuse_an_empty_source():
    with pytest.raises(ValueError, match="source sentence 1 "):
        length_buckets.bucket([3, 0])


def test_bleu_of_a_length_bucket_is_that_of_its_sentences():
    rows = rows_of(bleu.statistics, HYPOTHESES, REFERENCES, WORDS)
    lengths = [(7, 10, 11, 60)[k % 4] for k in range(len(rows))]
    values = length_buckets.aggregate(rows, lengths)
    assert list(values) == list(length_buckets.BUCKETS)
    assert values["11-20"] == {"bleu": exactly(bleu.of_totals(rows[2::4].sum(axis=0)).score), "sentences": 20}
    assert values[">50"] == {"bleu": exactly(bleu.of_totals(rows[3::4].sum(axis=0)).score), "sentences": 20}
    assert values["1-10"]["sentences"] == 40
    assert values["21-30"] == {"bleu": None, "sentences": 0}


# Perplexity


def test_perplexity_counts_every_token_of_the_corpus_alike():
    # exp(-sum log p / sum T): 4 tokens at 1/2 and 2 at 1/16, not the mean of the sentences' perplexities 2 and 16
    rows = [perplexity.statistics([math.log(0.5)] * 4), perplexity.statistics([math.log(1 / 16)] * 2)]
    assert perplexity.of_totals(np.sum(rows, axis=0)) == pytest.approx(4.0)


# Degenerate input


@pytest.mark.parametrize(
    ("case", "hypotheses", "references", "scores"),
    [
        ("empty hypothesis", [""], [["a b c d"]], (0, 0, 0, 100, 50)),
        ("one word", ["a"], [["a"]], (0, 0, 100, 0, 0)),
        ("one wrong word", ["b"], [["a"]], (0, 0, 0, 100, 50)),
        ("empty reference", ["a b c d"], [[""]], (0, 0, 0, 100, 50)),
        ("one of two references empty", ["a b c d"], [["", "a b c d"]], (100, 100, 100, 0, -50)),
        ("longer than all", ["a b c d x"], [["a b c d", "a b"]], (None, None, None, 100 / 3, None)),
        ("all sentences empty", ["", ""], [[""], [""]], (0, 0, 0, 0, 0)),
        ("an empty sentence among others", ["a b c d", ""], [["a b c d"], ["e"]], (None, None, None, 20, None)),
    ],
)
def test_degenerate_translations(case, hypotheses, references, scores):
    columns = list(zip(*references, strict=True))
    matches = rows_of(bleu.statistics, hypotheses, references, WORDS)
    edits = rows_of(ter.statistics, hypotheses, references, SPACES)
    values = (
        bleu.of_totals(matches.sum(axis=0)).score,
        bleu_v11b.of_totals(rows_of(bleu_v11b.statistics, hypotheses, references).sum(axis=0)).score,
        chrf.of_totals(rows_of(chrf.statistics, hypotheses, references).sum(axis=0)),
        ter.of_totals(edits.sum(axis=0)),
        ter_minus_bleu.of_totals(edits.sum(axis=0), matches.sum(axis=0)),
    )
    for value, score in zip(values, scores, strict=True):
        assert value == (value if score is None else exactly(score))
    assert values[0] == exactly(BLEU(tokenize="none", force=True).corpus_score(hypotheses, columns).score)
    assert values[2] == exactly(CHRF().corpus_score(hypotheses, columns).score)
    assert values[3] == exactly(TER().corpus_score(hypotheses, columns).score)


def test_measures_of_an_empty_translation():
    scorer = bleu.scorer("none", True)
    score = bleu.of_totals(bleu.statistics("", ["a b"], scorer))
    assert (score.score, score.brevity_penalty, score.length_ratio) == (0, 0, 0)
    assert list(score.precisions) == [0, 0, 0, 0]
    assert math.isnan(bleu.of_totals(bleu.statistics("", [""], scorer)).length_ratio)
    assert math.isnan(perplexity.of_totals(perplexity.statistics([])))
    assert repeated.of_totals(repeated.statistics([])) == (0, 0)


# Time


MEASURES = {
    "bleu": (bleu, (WORDS,)),
    "bleu_v11b": (bleu_v11b, ()),
    "chrf": (chrf, ()),
    "ter": (ter, (SPACES,)),
}


@pytest.mark.parametrize("name", MEASURES)
def test_time_is_linear_in_the_sentences(name):
    measure, arguments = MEASURES[name]
    sentences = 20 if name in ("chrf", "ter") else 40

    def run(times):
        rows = rows_of(measure.statistics, HYPOTHESES[:sentences] * times, REFERENCES[:sentences] * times, *arguments)
        measure.of_totals(rows.sum(axis=0))

    run(1)  # fills the tokenisers' caches
    assert_linear(run)


def test_time_of_length_buckets_and_repetition_is_linear_in_the_sentences():
    rows = np.tile(rows_of(bleu.statistics, HYPOTHESES, REFERENCES, WORDS), (30, 1))

    def buckets(times):
        length_buckets.aggregate(np.tile(rows, (times, 1)), np.arange(len(rows) * times) % 70 + 1)

    def repetition(times):
        repeated.of_totals(np.sum([repeated.statistics(text.split()) for text in HYPOTHESES * 8 * times], axis=0))

    for run in (buckets, repetition):
        assert_linear(run)
