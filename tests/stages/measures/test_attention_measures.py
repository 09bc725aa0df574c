"""Measures of attention against worked examples and second implementations."""

import itertools
import math

import numpy as np
import pytest
from nltk import ConfusionMatrix

from stages.measures import confusion, coverage, entropy, eos, rot
from stages.measures.hard_links import NO_LINK
from tests.stages.measures.attentions import present, random_attention

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
    score = rot.of_totals(rot.statistics(repeats, ["NN", "NN"]))
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
    score = rot.of_totals(rot.statistics(np.array([1, 0, 0, 0])))
    assert score.rot == 25
    assert np.isnan(score[1:]).all()


def by_definition(target: list[str], best: list[int], inside: list[bool], classes: list[str]) -> dict[str, list[int]]:
    """Of each part of the source words [Σ t(w), words], t(w) from the list of the words that are linked to w."""
    found = {part: [0, 0] for part in rot.PARTS}
    for j, (known, name) in enumerate(zip(inside, classes, strict=True)):
        linked = [word for word, k in zip(target, best, strict=True) if k == j]
        side = "inside" if known else "outside"
        for part in [side, f"NN_{side}"][: 2 if name == "NN" else 1]:
            found[part][0] += len(linked) - len(set(linked))
            found[part][1] += 1
    return found


@pytest.mark.parametrize("seed", range(20))
def test_rot_by_vocabulary(seed):
    random = np.random.default_rng(seed)
    length = int(random.integers(1, 9))
    target, best = random.choice(list("abc"), 12).tolist(), random.integers(-1, length, 12)
    inside, classes = random.random(length) < 0.6, random.choice(["NN", "NR", "V"], length).tolist()
    repeats = rot.repeats_per_word(target, best, length)
    counts = rot.by_vocabulary(repeats, inside, classes)
    expected = by_definition(target, best.tolist(), inside.tolist(), classes)
    assert [*counts] == [count for part in rot.PARTS for count in expected[part]]
    for part, (number, words) in expected.items():
        share = rot.of_part(np.array([counts, counts]), part)
        assert share == pytest.approx([100 * number / words if words else np.nan] * 2, nan_ok=True)
    assert rot.by_vocabulary(repeats, inside, None)[4:] == (0, 0, 0, 0), "without classes no word is a noun"


def test_rot_by_vocabulary_refuses_words_that_do_not_fit():
    with pytest.raises(ValueError, match="2 words, 1 of the vocabulary or not, 2 classes"):
        rot.by_vocabulary(np.array([0, 1]), np.array([True]), None)


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
    assert eos.of_totals(rows.sum(axis=0)) == 75.0


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
    assert entropy.of_totals(entropy.statistics(np.array(attention, float))) == pytest.approx(expected, nan_ok=True)


def test_entropy_is_a_mean_over_words_not_over_sentences():
    sentences = [np.full((3, 2), 0.5), np.array([[1.0, 0.0]])]
    rows = [entropy.statistics(attention) for attention in sentences]
    assert entropy.of_totals(np.sum(rows, axis=0)) == pytest.approx(3 * math.log(2) / 4)


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
    shares = coverage.of_totals(counts)
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
    table = confusion.of_totals(confusion.statistics(["V"] * 10_000, ["V", "AD", "NR"], best))
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
