"""What holds for every measure of attention and alignment: degenerate input, resampling, and time."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from stages.measures import aer, aer_floor, confusion, coverage, entropy, eos, rot, saer, threshold
from stages.measures.gold_links import Gold
from stages.measures.hard_links import link_set, strongest
from tests.helpers.growth import assert_linear
from tests.stages.measures.attentions import gold_of, random_attention, random_gold


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
    "threshold": (threshold, lambda e: threshold.statistics(e.attention[:-1], e.gold, 0.2, "drop")),
    "floor": (aer, lambda e: aer_floor.statistics(e.gold)),
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
    return MEASURES[measure][0].of_totals(rows_of(measure, examples).sum(axis=0))


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
    expected = [[flat(MEASURES[measure][0].of_totals(rows[sample].sum(axis=0))) for sample in some] for some in samples]
    found = flat(MEASURES[measure][0].of_totals(weights @ rows))
    assert found == pytest.approx(np.array(expected), nan_ok=True)


@pytest.mark.parametrize("measure", MEASURES)
def test_time_is_linear_in_the_number_of_sentences(measure):
    rng = np.random.default_rng(10)
    few = [random_example(rng) for _ in range(100)]
    assert_linear(lambda times: value_of(measure, few * times))
