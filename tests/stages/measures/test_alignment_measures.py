"""AER, its lowest value, SAER and links above a threshold: worked examples, nltk and brute force."""

import itertools

import numpy as np
import pytest
from nltk.translate import Alignment
from nltk.translate.metrics import alignment_error_rate

from stages.measures import aer, aer_floor, saer, threshold
from stages.measures.gold_links import Gold
from stages.measures.hard_links import NO_LINK, link_set, strongest
from tests.stages.measures.attentions import gold_of, links, random_attention, random_gold


def test_aer_example():
    score = aer.of_totals(aer.statistics(links("1-1 2-3 3-2"), gold_of("1-1 2-2", "2-3")))
    assert score == pytest.approx((40.0, 100 * 2 / 3, 50.0))


def test_aer_of_the_gold_itself_is_zero():
    sure = links("1-1 2-2 3-1")
    assert aer.of_totals(aer.statistics(sure, Gold(sure, sure))) == pytest.approx((0, 100, 100))


def test_aer_equals_nltk_on_one_sentence_and_on_a_corpus():
    rng = np.random.default_rng(2)
    rows, found, sure, possible = [], set(), set(), set()
    for k in range(30):
        links_gold = random_gold(rng, 5, 6)
        best = link_set(strongest(random_attention(rng, 6, 5), "drop"))
        rows.append(aer.statistics(best, links_gold))
        # nltk knows single sentences: shifting each sentence's words makes a corpus of them
        for corpus, sentence in ((found, best), (sure, links_gold.sure), (possible, links_gold.possible)):
            corpus |= {(s + 100 * k, t + 100 * k) for s, t in sentence}
        if best or links_gold.sure:
            expected = alignment_error_rate(
                Alignment(links_gold.sure), Alignment(best), possible=Alignment(links_gold.possible)
            )
            assert aer.of_totals(np.array(rows[-1])).aer == pytest.approx(100 * expected)
    expected = alignment_error_rate(Alignment(sure), Alignment(found), possible=Alignment(possible))
    assert aer.of_totals(np.sum(rows, axis=0)).aer == pytest.approx(100 * expected)


def test_saer_example():
    attention = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.2, 0.6, 0.2]])
    # The possible link is row 2, column 3 of the matrix: target word 2, source word 3.
    masses = saer.statistics(attention, gold_of("1-1 2-2", "3-2"))
    assert masses == pytest.approx((3.0, 2, 1.2, 1.6))
    assert saer.of_totals(masses) == pytest.approx(44.0)


def test_saer_of_one_hot_attention_is_aer():
    rng = np.random.default_rng(3)
    soft, hard = [], []
    for _ in range(20):
        links_gold = random_gold(rng, 4, 7)
        attention = np.eye(5)[rng.integers(5, size=7)]
        soft.append(saer.statistics(attention[:, :-1], links_gold))
        hard.append(aer.statistics(link_set(strongest(attention, "drop")), links_gold))
    assert saer.of_totals(np.sum(soft, axis=0)) == pytest.approx(aer.of_totals(np.sum(hard, axis=0)).aer)


def test_threshold_example():
    attention = np.array([[0.7, 0.2, 0.1, 0], [0.1, 0.5, 0.4, 0], [0.19, 0.19, 0.19, 0.43]])
    counts = threshold.statistics(attention, gold_of("1-1", "2-3"), 0.2, "drop")
    assert counts == (2, 2, 1)
    assert threshold.of_totals(counts) == pytest.approx((50, 50, 50))


@pytest.mark.parametrize(("weight", "found"), [(0.2, 0), (0.2001, 1)])
def test_threshold_is_strict(weight, found):
    assert threshold.statistics(np.array([[weight, 1 - weight]]), gold_of("1-1"), 0.2, "renorm").links == found


@pytest.mark.parametrize(("eos", "expected"), [("drop", (1, 1, 0)), ("renorm", (2, 1, 1))])
def test_the_end_of_sentence_competes_for_links_above_a_threshold_unless_it_is_left_out(eos, expected):
    """Its weights stay what they are either way: .15 of the third word is not above .2."""
    attention = np.array([[0.6, 0.1, 0.3], [0.1, 0.4, 0.5], [0.15, 0.05, 0.8]])
    assert threshold.statistics(attention, gold_of("2-2"), 0.2, eos) == expected


def test_precision_recall_and_f1_of_links_above_a_threshold():
    """Two sentences together: |A| = 5, |G| = 4, both 3."""
    found = threshold.of_totals(np.sum([[3, 1, 1], [2, 3, 2]], axis=0))
    assert found == pytest.approx((60, 75, 200 / 3))


# The lowest AER


def brute_force_floor(golds, lengths):
    """Lowest AER over every choice of one source word, or none, for every target word of every sentence."""
    options = [
        [
            aer.statistics(link_set(np.array(choice, int)), sentence)
            for choice in itertools.product(range(NO_LINK, source_length), repeat=target_length)
        ]
        for sentence, (source_length, target_length) in zip(golds, lengths, strict=True)
    ]
    return min(aer.of_totals(np.sum(rows, axis=0)).aer for rows in itertools.product(*map(set, options)))


@pytest.mark.parametrize("seed", range(12))
def test_floor_equals_brute_force(seed):
    rng = np.random.default_rng(seed)
    lengths = [(int(rng.integers(1, 4)), int(rng.integers(1, 4))) for _ in range(2)]
    golds = [random_gold(rng, *length) for length in lengths]
    if not any(sentence.sure for sentence in golds):
        golds[0] = gold_of("1-1")
    expected = brute_force_floor(golds, lengths)
    lowest = aer.of_totals(np.sum([aer_floor.statistics(sentence) for sentence in golds], axis=0)).aer
    assert lowest == pytest.approx(expected)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (gold_of("1-1 2-2"), 0.0),
        (gold_of("1-1 2-1"), 100 * (1 - 2 / 3)),  # one target word cannot have both links
        (gold_of("1-1 1-2"), 0.0),  # but one source word can
        (gold_of("1-1 2-1", "3-2"), 100 * (1 - 3 / 4)),  # a possible link pays when sure ones are out of reach
    ],
)
def test_floor_cases(sentence, expected):
    assert aer.of_totals(aer_floor.statistics(sentence)).aer == pytest.approx(expected)
