"""Measures of attention and alignment against their worked examples, second implementations and degenerate input."""

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from nltk import ConfusionMatrix
from nltk.translate import Alignment
from nltk.translate.metrics import alignment_error_rate

from stages.files import links as text
from stages.measures import aer, confusion, coverage, entropy, eos, floor, gold, merge, rot, saer, threshold
from stages.measures.gold import Gold
from stages.measures.hard_links import NO_LINK, link_set, strongest
from tests.helpers.growth import assert_linear


def links(line):
    """'1-1 2-3', counted from 1 as the papers do -> a set of links."""
    return frozenset((int(s) - 1, int(t) - 1) for s, t in (pair.split("-") for pair in line.split()))


def gold_of(sure, possible_only=""):
    return Gold(links(sure), links(sure) | links(possible_only))


def random_gold(rng, source_length, target_length):
    kinds = rng.choice(3, size=(source_length, target_length), p=(0.6, 0.2, 0.2))
    sure = frozenset(map(tuple, np.argwhere(kinds == 1).tolist()))
    return Gold(sure, sure | frozenset(map(tuple, np.argwhere(kinds == 2).tolist())))


def random_attention(rng, target_length, source_length):
    """Word level, with the end of sentence as last column."""
    return rng.dirichlet(np.full(source_length + 1, 0.5), size=target_length)


def present(counts):
    """The counts that are not 0, by column."""
    return {name: count for name, count in counts._asdict().items() if count}


# Links as text


def test_links_are_read_as_they_are_written():
    assert text.parse("2-3 10-0 2?3 2-3") == [(2, 3, True), (10, 0, True), (2, 3, False), (2, 3, True)]
    assert text.parse(" ") == []


def test_links_are_written_sorted_and_once():
    assert text.write(text.parse("10-0 2-11 2?3 2-3 0?1")) == "0?1 2-3 2-11 10-0"
    assert text.write([]) == ""


@pytest.mark.parametrize("given", ["1:2", "1-", "-1-2", "1-2/1", "a-b", "1-2,3-4", "1--2", "0-0-0", "1 - 2", "１-２"])
def test_malformed_links_are_named(given):
    with pytest.raises(ValueError, match=f"'{given.split()[0]}' is not a link: write i-j"):
        text.parse(f"0-0 {given}")


@pytest.mark.parametrize("outside", [(3, 0), (0, 2), (-1, 0), (0, -1)])
def test_links_outside_their_sentence_are_named(outside):
    text.check_bounds([(0, 0), (2, 1)], 3, 2)
    with pytest.raises(ValueError, match="link {}-{} lies outside its sentence of 3 source and 2".format(*outside)):
        text.check_bounds([(0, 0), outside], 3, 2)


# Gold links


def test_gold_reads_sure_and_possible_links():
    assert gold.parse("0-0 2-1 2?3 2-3") == Gold(
        frozenset({(0, 0), (2, 1), (2, 3)}), frozenset({(0, 0), (2, 1), (2, 3)})
    )
    assert gold.parse("0?4 1-2") == Gold(frozenset({(1, 2)}), frozenset({(0, 4), (1, 2)}))
    assert gold.parse("") == Gold(frozenset(), frozenset())


def test_gold_reversed_is_the_gold_of_the_other_direction():
    assert gold.reverse(gold.parse("0-1 2?3")) == gold.parse("1-0 3?2")


@pytest.mark.parametrize("line", ["3-0", "0-2", "0?2"])
def test_gold_link_outside_its_sentence(line):
    gold.check_bounds(gold.parse("2-1"), 3, 2)
    with pytest.raises(ValueError, match="outside"):
        gold.check_bounds(gold.parse(line), 3, 2)


# Sub-words to words


def test_merge_example():
    pieces = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.1, 0.2, 0.7]])
    assert merge.merge(pieces, [0, 1], [0, 2]) == pytest.approx(np.array([[0.5, 0.5], [0.1, 0.9]]))


def test_merge_equals_its_definition_and_keeps_row_sums():
    rng = np.random.default_rng(0)
    source, target = [0, 1, 4], [0, 3, 4, 6]
    pieces = random_attention(rng, 7, 5)
    source_words = [range(0, 1), range(1, 4), range(4, 6)]
    target_words = [range(0, 3), range(3, 4), range(4, 6), range(6, 7)]
    expected = [[sum(pieces[i, j] for i in t for j in s) / len(t) for s in source_words] for t in target_words]
    words = merge.merge(pieces, source, target)
    assert words == pytest.approx(np.array(expected))
    assert words.sum(axis=1) == pytest.approx(np.ones(4))


def test_merge_of_whole_words_changes_nothing():
    attention = random_attention(np.random.default_rng(1), 3, 3)
    assert np.array_equal(merge.merge(attention, range(4), range(3)), attention)


@pytest.mark.parametrize(
    ("source", "target"), [([0, 3], [0]), ([1], [0]), ([], [0]), ([0], []), ([0, 2, 2], [0]), ([0], [0, 2])]
)
def test_merge_refuses_words_that_do_not_cover_the_pieces(source, target):
    with pytest.raises(ValueError):
        merge.merge(np.ones((2, 3)), source, target)


def test_merge_of_an_empty_target():
    assert merge.merge(np.zeros((0, 3)), [0, 2], []).shape == (0, 2)


# Links from attention


@pytest.mark.parametrize(
    ("row", "drop", "renorm"),
    [
        ((0.2, 0.5, 0.3), 1, 1),
        ((0.2, 0.3, 0.5), NO_LINK, 1),
        ((0.4, 0.4, 0.2), 0, 0),
        ((0.4, 0.2, 0.4), 0, 0),
        ((0.0, 0.0, 1.0), NO_LINK, NO_LINK),
        ((0.0, 0.0, 0.0), NO_LINK, NO_LINK),
    ],
)
def test_strongest_link_and_end_of_sentence(row, drop, renorm):
    attention = np.array([row])
    assert strongest(attention, "drop").tolist() == [drop]
    assert strongest(attention, "renorm").tolist() == [renorm]


def test_link_set_leaves_unaligned_words_out():
    assert link_set(np.array([2, NO_LINK, 0])) == {(2, 0), (0, 2)}


# AER, SAER, threshold


def test_aer_example():
    score = aer.aggregate(np.array([aer.statistics(links("1-1 2-3 3-2"), gold_of("1-1 2-2", "2-3"))]))
    assert score == pytest.approx((40.0, 100 * 2 / 3, 50.0))


def test_aer_of_the_gold_itself_is_zero():
    sure = links("1-1 2-2 3-1")
    assert aer.aggregate(np.array([aer.statistics(sure, Gold(sure, sure))])) == pytest.approx((0, 100, 100))


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
    assert aer.aggregate(np.array(rows)).aer == pytest.approx(100 * expected)


def test_saer_example():
    attention = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.2, 0.6, 0.2]])
    # The possible link is row 2, column 3 of the matrix: target word 2, source word 3.
    masses = saer.statistics(attention, gold_of("1-1 2-2", "3-2"))
    assert masses == pytest.approx((3.0, 2, 1.2, 1.6))
    assert saer.aggregate(np.array([masses])) == pytest.approx(44.0)


def test_saer_of_one_hot_attention_is_aer():
    rng = np.random.default_rng(3)
    soft, hard = [], []
    for _ in range(20):
        links_gold = random_gold(rng, 4, 7)
        attention = np.eye(5)[rng.integers(5, size=7)]
        soft.append(saer.statistics(attention[:, :-1], links_gold))
        hard.append(aer.statistics(link_set(strongest(attention, "drop")), links_gold))
    assert saer.aggregate(np.array(soft)) == pytest.approx(aer.aggregate(np.array(hard)).aer)


def test_threshold_example():
    attention = np.array([[0.7, 0.2, 0.1, 0], [0.1, 0.5, 0.4, 0], [0.19, 0.19, 0.19, 0.43]])
    counts = threshold.statistics(attention, gold_of("1-1", "2-3"), 0.2)
    assert counts == (2, 2, 1)
    assert threshold.aggregate(np.array([counts])) == pytest.approx((50, 50, 50))


@pytest.mark.parametrize(("weight", "found"), [(0.2, 0), (0.2001, 1)])
def test_threshold_is_strict(weight, found):
    assert threshold.statistics(np.array([[weight, 1 - weight]]), gold_of("1-1"), 0.2).links == found


# Floor


def brute_force_floor(golds, lengths):
    """Lowest AER over every choice of one source word, or none, for every target word of every sentence."""
    options = [
        [
            aer.statistics(link_set(np.array(choice, int)), sentence)
            for choice in itertools.product(range(NO_LINK, source_length), repeat=target_length)
        ]
        for sentence, (source_length, target_length) in zip(golds, lengths, strict=True)
    ]
    return min(aer.aggregate(np.array(rows)).aer for rows in itertools.product(*map(set, options)))


@pytest.mark.parametrize("seed", range(12))
def test_floor_equals_brute_force(seed):
    rng = np.random.default_rng(seed)
    lengths = [(int(rng.integers(1, 4)), int(rng.integers(1, 4))) for _ in range(2)]
    golds = [random_gold(rng, *length) for length in lengths]
    if not any(sentence.sure for sentence in golds):
        golds[0] = gold_of("1-1")
    expected = brute_force_floor(golds, lengths)
    assert aer.aggregate(np.array([floor.statistics(sentence) for sentence in golds])).aer == pytest.approx(expected)


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
    assert aer.aggregate(np.array([floor.statistics(sentence)])).aer == pytest.approx(expected)


# Over-translation


@pytest.mark.parametrize(
    ("target", "best", "expected"),
    [
        ("hong kong hong kong", [0, 0, 0, 0], [2]),
        ("a a b c", [0, 0, 0, 1], [1, 0]),
        ("a a", [0, 1], [0, 0]),  # the same word for two source words is no repetition
        ("a a a", [0, NO_LINK, NO_LINK], [0, 0]),  # the end of sentence translates nothing
        ("", [], [0, 0, 0]),
    ],
)
def test_rot_repeats_per_source_word(target, best, expected):
    assert rot.repeats_per_word(target.split(), np.array(best, int), len(expected)).tolist() == expected


def test_rot_example():
    repeats = rot.repeats_per_word(list("aabc"), np.array([0, 0, 0, 1]), 2)
    score = rot.aggregate(np.array([rot.statistics(repeats, ["NN", "NN"])]))
    assert (score.rot, score.rot_NN) == (50, 50)
    assert np.isnan(score[2:]).all()


def test_rot_of_each_class():
    classes = ["NN", "CD", "V", "NN", "NT", "DT", "NR"]
    counts = rot.statistics(np.array([3, 1, 2, 0, 1, 0, 4]), classes)
    repeats = {"all": 11, "NN": 3, "NR": 4, "DT": 0, "CD": 1, "rest": 3}
    words = {"all": 7, "NN": 2, "NR": 1, "DT": 1, "CD": 1, "rest": 2}
    assert [getattr(counts, f"repeats_{name}") for name in rot.SETS] == [repeats[name] for name in rot.SETS]
    assert [getattr(counts, f"words_{name}") for name in rot.SETS] == [words[name] for name in rot.SETS]
    assert rot.of_totals(np.array(counts)) == pytest.approx((1100 / 7, 150, 400, 0, 100, 150))


def test_rot_without_classes_is_that_of_all_words():
    score = rot.aggregate(np.array([rot.statistics(np.array([1, 0, 0, 0]))]))
    assert score.rot == 25
    assert np.isnan(score[1:]).all()


def test_rot_of_the_paper_falls_by_its_fifteen_percent():
    totals = np.zeros((2, len(rot.Counts._fields)), int)
    totals[:, rot.Counts._fields.index("words_all")] = 10_000
    totals[:, rot.Counts._fields.index("repeats_all")] = 528, 449
    before, after = rot.of_totals(totals).rot
    assert (before, after) == pytest.approx((5.28, 4.49))
    assert 100 * (before - after) / before == pytest.approx(15, abs=0.05)


def test_rot_refuses_links_and_classes_that_do_not_fit_the_words():
    with pytest.raises(ValueError):
        rot.repeats_per_word(["a"], np.array([0, 0]), 1)
    with pytest.raises(ValueError):
        rot.statistics(np.array([0, 0]), ["NN"])


# End of sentence


def test_eos_example():
    aligned, astray = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.1, 0.9], [0.8, 0.2]])
    sentences = [(aligned, True), (aligned, True), (astray, True), (aligned, True), (aligned, False)]
    rows = np.array([eos.statistics(*sentence) for sentence in sentences])
    assert rows.sum(axis=0).tolist() == [3, 4, 1]
    assert eos.aggregate(rows) == 75.0


@pytest.mark.parametrize(
    ("last", "aligned"),
    [((0.2, 0.3, 0.5), 1), ((0.2, 0.5, 0.3), 0), ((0.1, 0.45, 0.45), 0), ((0.0, 0.0, 0.0), 0), ((0.0, 0.0, 0.1), 1)],
)
def test_eos_takes_the_last_row_and_the_first_of_equals(last, aligned):
    assert eos.statistics(np.array([(1, 0, 0), last]), finished=True) == (aligned, 1, 0)


def test_eos_of_a_sentence_without_its_last_row():
    with pytest.raises(ValueError, match="no row"):
        eos.statistics(np.zeros((0, 3)), finished=True)


# Entropy


@pytest.mark.parametrize(
    ("attention", "expected"),
    [
        ([(0.25, 0.25, 0.25, 0.25)], math.log(4)),
        ([(0, 1, 0)], 0.0),
        ([(0.5, 0, 0.5)], math.log(2)),  # the end of sentence counts as a place
        ([(0.25, 0.25, 0)], math.log(2)),  # local attention gives less than 1
        ([(0.5, 0.5), (0, 1), (0, 0)], math.log(2) / 2),  # a row of zeros is left out
        ([(0, 0)], math.nan),
    ],
)
def test_entropy_examples(attention, expected):
    assert entropy.aggregate(np.array([entropy.statistics(np.array(attention, float))])) == pytest.approx(
        expected, nan_ok=True
    )


def test_entropy_is_a_mean_over_words_not_over_sentences():
    sentences = [np.full((3, 2), 0.5), np.array([[1.0, 0.0]])]
    rows = [entropy.statistics(attention) for attention in sentences]
    assert entropy.aggregate(np.array(rows)) == pytest.approx(3 * math.log(2) / 4)


def test_entropy_equals_its_definition():
    attention = random_attention(np.random.default_rng(6), 5, 7)
    expected = sum(-weight * math.log(weight) for row in attention.tolist() for weight in row if weight > 0)
    assert entropy.statistics(attention) == pytest.approx((expected, 5))
    assert entropy.statistics(0.3 * attention) == pytest.approx((expected, 5))


# Coverage


def test_coverage_example():
    attention = np.array([[0.7, 0.2, 0.0, 0.1], [0.3, 0.6, 0.0, 0.1], [0.0, 0.6, 0.0, 0.4]])
    counts = coverage.statistics(attention)  # of the source words: 1.0, 1.4, 0.0
    assert present(counts) == {"from_0_0": 1, "from_0_9": 1, "from_1_3": 1}
    shares = coverage.aggregate(np.array([counts]))
    assert shares["0.0-0.1"] == shares["0.9-1.1"] == shares["1.3-1.5"] == pytest.approx(100 / 3)
    assert sum(shares.values()) == pytest.approx(100)


@pytest.mark.parametrize(
    ("weight", "name"),
    [
        *[(0, "0.0-0.1"), (0.0999, "0.0-0.1"), (0.1, "0.1-0.3"), (0.99998, "0.9-1.1"), (1.00002, "0.9-1.1")],
        *[(1.9999, "1.9-2.1"), (2.0001, "1.9-2.1"), (2.1, "2.1+"), (40, "2.1+")],
    ],
)
def test_coverage_bins(weight, name):
    shares = coverage.of_totals(np.array(coverage.statistics(np.array([[weight, 0.5]]))))
    assert [found for found, share in shares.items() if share] == [name]
    assert list(shares) == list(coverage.BINS)


def test_coverage_equals_numpys_histogram():
    attention = random_attention(np.random.default_rng(7), 30, 40)
    expected, _ = np.histogram(attention[:, :40].sum(axis=0), [*coverage.EDGES, np.inf])
    assert coverage.statistics(attention) == tuple(expected)


# Parts of speech


def test_confusion_gives_the_source_classes_of_a_target_class():
    """Kuang et al. 2018, Table 3, RNNSearch*: of the target verbs 64.95 % come from verbs and 12.09 % from adverbs."""
    best = np.repeat([0, 1, 2], (6495, 1209, 2296))
    table = confusion.aggregate(np.array([confusion.statistics(["V"] * 10_000, ["V", "AD", "NR"], best)]))
    assert (table["V"]["V"], table["V"]["AD"], table["V"]["N"]) == pytest.approx((64.95, 12.09, 22.96))
    assert all(math.isnan(share) for share in table["N"].values())  # no target word is a noun


def test_confusion_merges_nouns_and_keeps_words_without_source():
    source, target = ["NN", "NR", "NT", "CD"], ["NN", "NR", "NN", "NT", "CD", "OTHER"]
    counts = confusion.statistics(target, source, np.array([0, 3, 2, NO_LINK, 1, 0]))
    assert present(counts) == {"N_N": 2, "N_CD": 1, "N_none": 1, "CD_N": 1, "OTHER_N": 1}
    table = confusion.of_totals(np.array(counts))
    assert (table["N"]["N"], table["N"]["CD"], table["N"]["none"], table["CD"]["N"]) == (50, 25, 25, 100)


def test_confusion_equals_nltk():
    rng = np.random.default_rng(8)
    target, source = rng.choice(confusion.CLASSES[1:], 200).tolist(), rng.choice(confusion.CLASSES[1:], 50).tolist()
    best = rng.integers(NO_LINK, 50, 200)
    found = [confusion.NONE if j == NO_LINK else source[j] for j in best]
    expected = ConfusionMatrix(target, found)
    counts = confusion.statistics(target, source, best)._asdict()
    assert sum(counts.values()) == 200
    for p, q in itertools.product(set(target), set(found)):
        assert counts[f"{p}_{q}"] == expected[p, q]


@pytest.mark.parametrize(("target", "source"), [(["NNS"], ["NN"]), (["NN"], ["N"])])
def test_confusion_names_an_unknown_class(target, source):
    with pytest.raises(ValueError, match=r"'(NNS|N)' is not a class of words"):
        confusion.statistics(target, source, np.array([0]))


def test_confusion_refuses_links_that_do_not_fit_the_words():
    with pytest.raises(ValueError):
        confusion.statistics(["V"], ["V"], np.array([0, 0]))


# All measures


class Example(NamedTuple):
    """attention: (T + 1, S + 1); target: T words, which are all nouns; source: the classes of S words."""

    attention: np.ndarray
    target: list[str]
    source: list[str]
    gold: Gold

    @property
    def best(self):
        return strongest(self.attention[:-1], "drop")


MEASURES = {
    "aer": (aer, lambda e: aer.statistics(link_set(e.best), e.gold)),
    "saer": (saer, lambda e: saer.statistics(e.attention[:-1, :-1], e.gold)),
    "threshold": (threshold, lambda e: threshold.statistics(e.attention[:-1], e.gold, 0.2)),
    "floor": (aer, lambda e: floor.statistics(e.gold)),
    "eos": (eos, lambda e: eos.statistics(e.attention, finished=True)),
    "entropy": (entropy, lambda e: entropy.statistics(e.attention[:-1])),
    "rot": (rot, lambda e: rot.statistics(rot.repeats_per_word(e.target, e.best, len(e.source)), e.source)),
    "coverage": (coverage, lambda e: coverage.statistics(e.attention[:-1])),
    "confusion": (confusion, lambda e: confusion.statistics(["NN"] * len(e.target), e.source, e.best)),
}
"""The module with the halves for totals, and what gives the row of one sentence."""


def rows_of(measure, examples):
    return np.array([MEASURES[measure][1](example) for example in examples])


def value_of(measure, examples):
    return MEASURES[measure][0].aggregate(rows_of(measure, examples))


def flat(value):
    """All numbers of a value, (..., K)."""
    if isinstance(value, dict):
        return np.concatenate([flat(part) for part in value.values()], axis=-1)
    return np.stack(value, axis=-1) if isinstance(value, tuple) else np.asarray(value)[..., None]


def random_example(rng):
    T, S = (int(length) for length in rng.integers(1, 7, size=2))
    return Example(
        random_attention(rng, T + 1, S),
        rng.choice(["a", "b"], T).tolist(),
        rng.choice(["NN", "NR", "CD", "V"], S).tolist(),
        random_gold(rng, S, T),
    )


NAN = math.nan
WEIGHTS = np.array([(0.95, 0.05), (0.1, 0.9)])  # of one target word and the end of sentence
H = -0.95 * math.log(0.95) - 0.05 * math.log(0.05)
SAER = 100 * (1 - 1.9 / 1.95)
NO_GOLD, ONE, MAYBE = gold_of(""), gold_of("1-1"), gold_of("", "1-1")
DEGENERATE = {
    "empty hypothesis": Example(np.array([(0.1, 0.2, 0.7)]), [], ["NN", "V"], NO_GOLD),
    "empty source": Example(np.array([(1.0,), (1.0,)]), ["a"], [], NO_GOLD),
    "empty gold": Example(WEIGHTS, ["a"], ["NN"], NO_GOLD),
    "no link found": Example(np.array([(0.0, 1.0), (0.0, 1.0)]), ["a"], ["NN"], ONE),
    "one word": Example(WEIGHTS, ["a"], ["NN"], ONE),
    "no sure link": Example(WEIGHTS, ["a"], ["NN"], MAYBE),
    "rows of zeros": Example(np.zeros((2, 2)), ["a"], ["NN"], ONE),
    "rows of zeros, empty gold": Example(np.zeros((2, 2)), ["a"], ["NN"], NO_GOLD),
}
# AER precision recall, SAER, above the threshold precision recall F1, floor, eos, entropy, ROT of all and of CD,
# source words of coverage 0 and 1, target nouns from nouns and from no word. NAN is null in the scores.
EXPECTED = {
    "empty hypothesis": [NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 100, NAN, 0, NAN, 100, 0, NAN, NAN],
    "empty source": [NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 100, 0, NAN, NAN, NAN, NAN, 0, 100],
    "empty gold": [100, 0, NAN, 100, 0, NAN, 0, NAN, 100, H, 0, NAN, 0, 100, 100, 0],
    "no link found": [100, NAN, 0, 100, NAN, 0, 0, 0, 100, 0, 0, NAN, 100, 0, 0, 100],
    "one word": [0, 100, 100, SAER, 100, 100, 100, 0, 100, H, 0, NAN, 0, 100, 100, 0],
    "no sure link": [0, 100, NAN, 0, 100, 100, 100, 0, 100, H, 0, NAN, 0, 100, 100, 0],
    "rows of zeros": [100, NAN, 0, 100, NAN, 0, 0, 0, 0, NAN, 0, NAN, 100, 0, 0, 100],
    "rows of zeros, empty gold": [NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, 0, NAN, 100, 0, 0, 100],
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_sentences(case):
    value = {measure: value_of(measure, [DEGENERATE[case]]) for measure in MEASURES}
    coverages, nouns = value["coverage"], value["confusion"]["N"]
    found = [
        *value["aer"],
        value["saer"],
        *value["threshold"],
        value["floor"].aer,
        value["eos"],
        value["entropy"],
        *(value["rot"].rot, value["rot"].rot_CD),
        *(coverages["0.0-0.1"], coverages["0.9-1.1"]),
        *(nouns["N"], nouns["none"]),
    ]
    assert found == pytest.approx(EXPECTED[case], nan_ok=True)


@pytest.mark.parametrize("measure", [measure for measure in MEASURES if measure != "eos"])
def test_an_empty_pair_does_not_disturb_a_corpus(measure):
    normal = random_example(np.random.default_rng(9))
    nothing = Example(np.ones((1, 1)), [], [], NO_GOLD)
    assert flat(value_of(measure, [normal, nothing])) == pytest.approx(flat(value_of(measure, [normal])), nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_totals_of_resampled_rows_equal_measuring_the_resampled_corpus(measure):
    rng = np.random.default_rng(5)
    rows = rows_of(measure, [random_example(rng) for _ in range(6)])
    samples = rng.integers(6, size=(2, 5, 6))
    weights = np.array([[np.bincount(sample, minlength=6) for sample in some] for some in samples])
    expected = [[flat(MEASURES[measure][0].aggregate(rows[sample])) for sample in some] for some in samples]
    found = flat(MEASURES[measure][0].of_totals(weights @ rows))
    assert found == pytest.approx(np.array(expected), nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_time_is_linear_in_the_number_of_sentences(measure):
    rng = np.random.default_rng(10)
    few = [random_example(rng) for _ in range(100)]
    assert_linear(lambda times: value_of(measure, few * times))
