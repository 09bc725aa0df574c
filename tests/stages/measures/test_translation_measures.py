"""Measures of translations against sacrebleu, worked examples, second implementations and degenerate input."""

import math
import random
import re
import string
from collections import Counter

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics.lib_ter import BeamEditDistance
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from stages.corpora.demo import generate
from stages.measures import bleu, bleu_v11b, chrf, length_buckets, repeated, ter, ter_minus_bleu
from stages.measures.edit_distance import EditDistance
from tests.helpers.growth import assert_linear

WORDS = bleu.scorer("none", lowercase=True)
SPACES = ter.tokeniser(normalized=False)


def exactly(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True)


def damaged(sentence, rng):
    """The sentence as a system might have it: words lost, changed, doubled, and a span moved."""
    words = sentence.split()
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(words) + 1)
        words[place : place + rng.randrange(3)] = rng.choices(
            ["of", "the", ",", "THE", "27.2", "don't"], k=rng.randrange(3)
        )
    start = rng.randrange(len(words) + 1)
    span, rest = words[start : start + 4], words[:start] + words[start + 4 :]
    place = rng.randrange(len(rest) + 1)
    return " ".join(rest[:place] + span + rest[place:])


def corpus(sentences, seed=0):
    """Hypotheses, and two references each; one hypothesis is empty and one equals its reference."""
    rng = random.Random(seed)
    references = [pair.references for pair in generate(train=0, dev=0, test=sentences, gold=0, seed=seed)["test"]]
    hypotheses = [damaged(rng.choice(pair), rng) for pair in references]
    hypotheses[:2] = ["", references[1][1]]
    return hypotheses, references


HYPOTHESES, REFERENCES = corpus(80)
COLUMNS = list(zip(*REFERENCES, strict=True))


def rows_of(statistics, hypotheses, references, *arguments):
    pairs = zip(hypotheses, references, strict=True)
    return np.array([statistics(hypothesis, several, *arguments) for hypothesis, several in pairs])


def bleu_of(hypothesis, *references):
    return bleu.of_totals(np.array(bleu.statistics(hypothesis, references, WORDS)))


def v11b_of(hypothesis, *references):
    return bleu_v11b.of_totals(np.array(bleu_v11b.statistics(hypothesis, references)))


# BLEU


@pytest.mark.parametrize("tokenize", ["none", "13a"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("references", [1, 2])
def test_bleu_equals_sacrebleu(tokenize, lowercase, references):
    metric = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    expected = metric.corpus_score(HYPOTHESES, COLUMNS[:references])
    several = [pair[:references] for pair in REFERENCES]
    score = bleu.aggregate(rows_of(bleu.statistics, HYPOTHESES, several, bleu.scorer(tokenize, lowercase)))
    assert 20 < expected.score < 80
    assert score.score == exactly(expected.score)
    assert score.precisions == exactly(expected.precisions)
    assert (score.brevity_penalty, score.length_ratio) == exactly((expected.bp, expected.ratio))
    assert bleu.signature(tokenize, lowercase, references) == str(metric.get_signature())


def random_totals(shape, rng):
    """Sums that a corpus can have: never more matches than n-grams, never more n-grams of a higher order."""
    lengths = rng.integers(0, 12, size=(*shape, 2))
    total = np.maximum(lengths[..., :1] - np.arange(4), 0)
    return np.concatenate([lengths, np.minimum(rng.integers(0, 4, size=total.shape), total), total], axis=-1)


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


# mteval-v11b


def normalised(text):
    """mteval-v11b's NormalizeText, on bytes as the script reads them."""
    line = text.encode()
    for entity, character in (
        (b"<skipped>", b""),
        (b"&quot;", b'"'),
        (b"&amp;", b"&"),
        (b"&lt;", b"<"),
        (b"&gt;", b">"),
    ):
        line = line.replace(entity, character)
    line = b" " + line.lower() + b" "  # bytes fold A to Z only
    parted = re.escape("".join(sorted(set(string.punctuation) - set("',-.")))).encode()
    line = re.sub(rb"([ %b])" % parted, rb" \1 ", line)
    line = re.sub(rb"([^0-9])([.,])", rb"\1 \2 ", line)
    line = re.sub(rb"([.,])([^0-9])", rb" \1 \2", line)
    line = re.sub(rb"([0-9])(-)", rb"\1 \2 ", line)
    return [word.decode() for word in line.split()]


def naive_v11b(hypotheses, references):
    """Score from its definition: n-grams counted by searching."""
    matches, found, system_length, reference_length = Counter(), Counter(), 0, 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        words, many = normalised(hypothesis), [normalised(reference) for reference in several]
        system_length += len(words)
        reference_length += min(map(len, many))
        for n in range(1, 5):
            ngrams = [[side[i : i + n] for i in range(len(side) - n + 1)] for side in (words, *many)]
            found[n] += len(ngrams[0])
            for k, ngram in enumerate(ngrams[0]):
                matches[n] += ngrams[0][:k].count(ngram) < max(side.count(ngram) for side in ngrams[1:])
    if not all(matches[n] for n in range(1, 5)):
        return 0.0
    mean = sum(math.log(matches[n] / found[n]) for n in range(1, 5)) / 4
    return 100 * math.exp(mean + min(0, 1 - reference_length / system_length))


@pytest.mark.parametrize("references", [1, 2])
def test_v11b_equals_its_definition(references):
    several = [pair[:references] for pair in REFERENCES]
    score = bleu_v11b.aggregate(rows_of(bleu_v11b.statistics, HYPOTHESES, several))
    assert score.score == exactly(naive_v11b(HYPOTHESES, several))
    assert 20 < score.score < 80


TEXTS = [
    "It's 3,000.5 U.S. dollars, i.e. (about) 10%-15% [of] $5.",
    "AT&amp;T &lt;b&gt; &quot;x&quot; <skipped> a/b 2-3 x-1 -1 1- .5 5. ,x x, A.B",
    "Ärger naïve à “quote” … 中文。 l'an don't",
    "{a}~b^c_d`e|f\\g @h #i *j +k =l ;m :n ?o !p <q>",
    "  two   spaces\tand a tab  ",
    "",
]


@pytest.mark.parametrize("text", TEXTS)
def test_v11b_tokenises_as_13a(text):
    assert Tokenizer13a()(text).encode().lower().decode().split() == normalised(text)
    counts = bleu_v11b.statistics(text, [" ".join(normalised(text))])
    assert counts.system_length == counts.reference_length == counts.correct_1 == len(normalised(text))


def test_v11b_takes_the_shortest_reference_and_sacrebleu_the_closest():
    hypothesis, references = "a b c d e f", ["a b c d", "a b c d e f g"]
    assert bleu_v11b.statistics(hypothesis, references).reference_length == 4
    assert bleu.statistics(hypothesis, references, WORDS).reference_length == 7
    assert v11b_of(hypothesis, *references).brevity_penalty == 1
    assert bleu_of(hypothesis, *references).brevity_penalty == exactly(math.exp(-1 / 6))


def test_v11b_does_not_smooth():
    assert bleu_of("a b c x", "a b c d").score > 0
    score = v11b_of("a b c x", "a b c d")
    assert score.precisions == exactly([75, 200 / 3, 50, 0])
    assert score.score == 0


def test_v11b_folds_ascii_only():
    assert v11b_of("THE Cat Sat Down", "the cat sat down").score == exactly(100)
    assert v11b_of("Ärger", "ärger").bleu1 == 0


def test_v11b_of_many_totals_at_once_equals_sacrebleu_without_smoothing():
    totals = random_totals((3, 50), np.random.default_rng(1))
    score = bleu_v11b.of_totals(totals).score
    for place in np.ndindex(3, 50):
        system, reference, *counts = totals[place].tolist()
        assert score[place] == exactly(BLEU.compute_bleu(counts[:4], counts[4:], system, reference).score)
    assert 10 < (score > 0).sum() < 140


# chrF


@pytest.mark.parametrize("references", [1, 2])
def test_chrf_equals_sacrebleu(references):
    metric = CHRF()
    expected = metric.corpus_score(HYPOTHESES, COLUMNS[:references]).score
    rows = rows_of(chrf.statistics, HYPOTHESES, [pair[:references] for pair in REFERENCES])
    assert chrf.aggregate(rows) == exactly(expected)
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


# TER


def ter_of(hypothesis, *references):
    return ter.statistics(hypothesis, references, SPACES)


def test_ter_example_of_snover():
    counts = ter_of(
        "THIS WEEK THE SAUDIS denied information published in the new york times",
        "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times",
    )
    assert counts == (4, 13)  # one shift, two substitutions, one insertion
    assert ter.of_totals(np.array(counts)) == exactly(100 * 4 / 13)


@pytest.mark.parametrize(
    ("hypothesis", "references", "counts"),
    [
        ("a b c", ["A B C"], (0, 3)),
        ("a b c d e", ["d e a b c"], (1, 5)),
        ("a b", ["a b c", "x y z u v"], (1, 4)),
        ("a b", ["x y", "a c"], (1, 2)),
        ("a b c", [""], (3, 0)),
        ("a b c", ["", "a b c d"], (1, 2)),
    ],
)
def test_ter_counts(hypothesis, references, counts):
    assert ter_of(hypothesis, *references) == counts


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("references", [1, 2])
def test_ter_equals_sacrebleu(normalized, references):
    metric = TER(normalized=normalized)
    expected = metric.corpus_score(HYPOTHESES, COLUMNS[:references])
    rows = rows_of(ter.statistics, HYPOTHESES, [pair[:references] for pair in REFERENCES], ter.tokeniser(normalized))
    assert ter.aggregate(rows) == exactly(expected.score)
    assert rows[:, 0].sum() == expected.num_edits
    assert 10 < expected.score < 80
    assert ter.signature(normalized, references) == str(metric.get_signature())


def random_words(rng, length, kinds):
    return [str(rng.randrange(kinds)) for _ in range(length)]


@pytest.mark.parametrize(
    ("lengths", "kinds"),
    [((12, 12), 4), ((25, 18), 40), ((40, 40), 2), ((60, 64), 400), ((2, 120), 60), ((60, 3), 30), ((0, 5), 3)],
)
def test_ter_of_unlikely_sentences_equals_sacrebleu(lengths, kinds):
    rng = random.Random(0)
    for _ in range(2):
        hypothesis, *references = (" ".join(random_words(rng, n, kinds)) for n in (lengths[0], lengths[1], lengths[1]))
        expected = TER().sentence_score(hypothesis, references)
        assert ter_of(hypothesis, *references) == (expected.num_edits, expected.ref_length)


@pytest.mark.parametrize(
    ("lengths", "kinds"), [((0, 4), 3), ((9, 7), 3), ((40, 90), 20), ((120, 40), 20), ((3, 200), 9)]
)
def test_edit_distance_equals_sacrebleu(lengths, kinds):
    rng = random.Random(1)
    reference = random_words(rng, lengths[1], kinds)
    ours, theirs = EditDistance(reference), BeamEditDistance(reference)
    words = random_words(rng, lengths[0], kinds)
    for _ in range(10):
        assert ours(words) == theirs(words)
        words = rng.sample(words, len(words)) if rng.random() < 0.5 else words[2:] + words[:2]


@pytest.mark.parametrize("distance", [*range(-27, -22), *range(22, 28)])
def test_edit_distance_sees_as_far_from_the_diagonal_as_sacrebleu(distance):
    reference = [str(k) for k in range(60)]
    words = reference[distance:] + reference[:distance]
    assert EditDistance(reference)(words) == BeamEditDistance(reference)(words)


def test_ter_of_many_totals_at_once():
    totals = np.array([[[3, 4], [0, 0]], [[5, 0], [6, 4.5]]])
    assert ter.of_totals(totals) == exactly(np.array([[75, 0], [100, 600 / 4.5]]))


# (TER - BLEU) / 2


def test_ter_minus_bleu_example():
    assert ter_minus_bleu.half_difference(57.79, 37.88) == exactly(9.955)


def test_ter_minus_bleu_of_rows_and_of_many_totals_at_once():
    edits = rows_of(ter.statistics, HYPOTHESES, REFERENCES, SPACES)
    matches = rows_of(bleu.statistics, HYPOTHESES, REFERENCES, WORDS)
    expected = (ter.aggregate(edits) - bleu.aggregate(matches).score) / 2
    assert ter_minus_bleu.aggregate(edits, matches) == exactly(expected)
    weights = np.random.default_rng(0).integers(0, 3, size=(2, 5, len(edits)))
    values = ter_minus_bleu.of_totals(weights @ edits, weights @ matches)
    assert values.shape == (2, 5)
    assert values[1, 4] == exactly(ter_minus_bleu.of_totals(weights[1, 4] @ edits, weights[1, 4] @ matches))


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
    assert values["11-20"] == {"bleu": exactly(bleu.aggregate(rows[2::4]).score), "sentences": 20}
    assert values[">50"] == {"bleu": exactly(bleu.aggregate(rows[3::4]).score), "sentences": 20}
    assert values["1-10"]["sentences"] == 40
    assert values["21-30"] == {"bleu": None, "sentences": 0}


# Repeated phrases


def test_repeated_phrases_of_a_set_are_summed():
    rows = np.array(
        [repeated.statistics(text.split()) for text in ("a b c d a b c d a b c d", "a b", "a a a a a a a a")]
    )
    assert repeated.aggregate(rows) == (3, 9)
    assert repeated.of_totals(np.array([[[1, 2]], [[3, 4]]])).ngrams.tolist() == [[2], [4]]


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
        bleu.aggregate(matches).score,
        bleu_v11b.aggregate(rows_of(bleu_v11b.statistics, hypotheses, references)).score,
        chrf.aggregate(rows_of(chrf.statistics, hypotheses, references)),
        ter.aggregate(edits),
        ter_minus_bleu.aggregate(edits, matches),
    )
    for value, score in zip(values, scores, strict=True):
        assert value == (value if score is None else exactly(score))
    assert values[0] == exactly(BLEU(tokenize="none", force=True).corpus_score(hypotheses, columns).score)
    assert values[2] == exactly(CHRF().corpus_score(hypotheses, columns).score)
    assert values[3] == exactly(TER().corpus_score(hypotheses, columns).score)


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
        measure.aggregate(rows)

    run(1)  # fills the tokenisers' caches
    assert_linear(run)


def test_time_of_length_buckets_and_repetition_is_linear_in_the_sentences():
    rows = np.tile(rows_of(bleu.statistics, HYPOTHESES, REFERENCES, WORDS), (30, 1))

    def buckets(times):
        length_buckets.aggregate(np.tile(rows, (times, 1)), np.arange(len(rows) * times) % 70 + 1)

    def repetition(times):
        repeated.aggregate(np.array([repeated.statistics(text.split()) for text in HYPOTHESES * 8 * times]))

    for run in (buckets, repetition):
        assert_linear(run)
