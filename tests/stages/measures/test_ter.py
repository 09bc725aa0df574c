"""TER against sacrebleu and worked examples, and (TER - BLEU) / 2."""

import random
import time

import numpy as np
import pytest
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import BeamEditDistance

from stages.measures import bleu, ter, ter_minus_bleu
from stages.measures.edit_distance import EditDistance
from tests.stages.measures.translations import COLUMNS, HYPOTHESES, REFERENCES, SPACES, WORDS, exactly, rows_of


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
    assert ter.of_totals(rows.sum(axis=0)) == exactly(expected.score)
    assert rows[:, 0].sum() == expected.num_edits
    assert 10 < expected.score < 80
    assert ter.signature(normalized, references) == str(metric.get_signature())


def test_references_are_tokenised_once_unlike_sacrebleus():
    """sacrebleu's base class tokenises them, and its TER does so again: `'s.` is parted in the second pass only. With
    one pass its counts are ours; without `normalized` two passes are one."""
    sentence, metric = "no more joey and chan's.", TER(normalized=True)
    assert metric.sentence_score(sentence, [sentence]).num_edits == 2  # a sentence and itself
    assert ter.statistics(sentence, [sentence], ter.tokeniser(True)) == (0, 6)
    once = metric._extract_reference_info([sentence])
    assert metric._compute_segment_statistics(metric._preprocess_segment(sentence), once) == [0, 6]
    assert TER().sentence_score(sentence, [sentence]).num_edits == 0


def random_words(rng, length, kinds):
    return [str(rng.randrange(kinds)) for _ in range(length)]


@pytest.mark.slow
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


def measured(words, reference):
    distance = EditDistance(words, reference)
    return distance.cost, distance.trace()


@pytest.mark.parametrize(
    ("lengths", "kinds"),
    [((0, 4), 3), ((9, 7), 3), ((40, 90), 20), ((120, 40), 20), ((3, 200), 9), ((300, 310), 40)],
)
def test_edit_distance_equals_sacrebleu(lengths, kinds):
    rng = random.Random(1)
    reference = random_words(rng, lengths[1], kinds)
    theirs = BeamEditDistance(reference)
    words = random_words(rng, lengths[0], kinds)
    for _ in range(10):
        assert measured(words, reference) == theirs(words)
        words = rng.sample(words, len(words)) if rng.random() < 0.5 else words[2:] + words[:2]


@pytest.mark.parametrize("distance", [*range(-27, -22), *range(22, 28)])
def test_edit_distance_sees_as_far_from_the_diagonal_as_sacrebleu(distance):
    reference = [str(k) for k in range(60)]
    words = reference[distance:] + reference[:distance]
    assert measured(words, reference) == BeamEditDistance(reference)(words)


@pytest.mark.parametrize(
    ("lengths", "kinds"), [((9, 7), 3), ((120, 90), 9), ((70, 160), 30), ((2, 150), 5), ((4, 0), 2)]
)
def test_edit_distance_of_reordered_words_equals_sacrebleu(lengths, kinds):
    rng = random.Random(2)
    words, reference = (random_words(rng, length, kinds) for length in lengths)
    ours, theirs = EditDistance(words, reference), BeamEditDistance(reference)
    for _ in range(20):
        first, last = sorted(rng.sample(range(lengths[0] + 1), 2))
        other = words[:first] + rng.sample(words[first:last], last - first) + words[last:]
        assert ours.of_reordered(other, first, last) == theirs(other)[0]


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words_takes_seconds():
    """Rows from the first to the last word for every shift that is tried took minutes."""
    rng = random.Random(3)
    hypothesis, reference = (" ".join(random_words(rng, 3000, 900)) for _ in range(2))
    began = time.process_time()
    ter_of(hypothesis, reference)
    assert time.process_time() - began < 20


def test_ter_of_many_totals_at_once():
    totals = np.array([[[3, 4], [0, 0]], [[5, 0], [6, 4.5]]])
    assert ter.of_totals(totals) == exactly(np.array([[75, 0], [100, 600 / 4.5]]))


# (TER - BLEU) / 2


def test_ter_minus_bleu_example():
    assert ter_minus_bleu.half_difference(57.79, 37.88) == exactly(9.955)


def test_ter_minus_bleu_of_rows_and_of_many_totals_at_once():
    edits = rows_of(ter.statistics, HYPOTHESES, REFERENCES, SPACES)
    matches = rows_of(bleu.statistics, HYPOTHESES, REFERENCES, WORDS)
    expected = (ter.of_totals(edits.sum(axis=0)) - bleu.of_totals(matches.sum(axis=0)).score) / 2
    assert ter_minus_bleu.of_totals(edits.sum(axis=0), matches.sum(axis=0)) == exactly(expected)
    weights = np.random.default_rng(0).integers(0, 3, size=(2, 5, len(edits)))
    values = ter_minus_bleu.of_totals(weights @ edits, weights @ matches)
    assert values.shape == (2, 5)
    assert values[1, 4] == exactly(ter_minus_bleu.of_totals(weights[1, 4] @ edits, weights[1, 4] @ matches))


@pytest.mark.parametrize("text", ["小猫看见苹果,很好", "ฉันกินข้าว", "私はPythonを書く"])
def test_text_without_blanks_is_compared_by_characters(text):
    tokeniser = ter.tokeniser(normalized=True, characters=True)
    same, edited = ter.statistics(text, [text], tokeniser), ter.statistics(text[1:], [text], tokeniser)
    assert same.edits == 0 and same.reference_words >= 6
    assert edited.edits == 1


def test_chinese_is_parted_as_sacrebleu_parts_asian_text():
    text, other = "小猫看见苹果,很好", "小狗看见苹果,好"
    expected = TER(normalized=True, asian_support=True).sentence_score(other, [text])
    found = ter.statistics(other, [text], ter.tokeniser(normalized=True, characters=True))
    assert (found.edits, found.reference_words) == (expected.num_edits, expected.ref_length)
