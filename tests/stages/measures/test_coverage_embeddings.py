"""What is left of coverage embeddings, and whether they say how many words follow: by hand, and against NumPy."""

import math

import numpy as np
import pytest

from stages.measures import coverage_embeddings as measure


def sums(first, last, linked):
    return measure.statistics(np.array(first, float), np.array(last, float), np.array(linked, int))


def test_sums_of_a_sentence():
    assert sums([3, 1], [0.5, 0], [2, 0]) == (2, 4, 0.5, 2, 10, 4, 6)


@pytest.mark.parametrize(
    ("rows", "percent"),
    [
        ([([4, 4], [1, 0])], 12.5),
        ([([4, 4], [4, 4])], 100),
        ([([1], [3])], 300),  # a GRU can lengthen them
        ([([1, 1, 1], [0, 0, 0]), ([1], [1])], 25),  # words count, not sentences
        ([([0], [1])], math.nan),
    ],
)
def test_what_is_left_in_the_end(rows, percent):
    totals = np.sum([sums(first, last, [1] * len(first)) for first, last in rows], axis=0)
    assert measure.left(totals) == pytest.approx(percent, nan_ok=True)


def test_fertility_is_pearsons_correlation_over_all_words():
    random = np.random.default_rng(3)
    sentences = [
        (random.uniform(1, 2, n) + 0.3 * linked, random.uniform(0, 1, n), linked)
        for n in (1, 4, 9, 30)
        for linked in [random.integers(0, 4, n)]
    ]
    rows = np.array([measure.statistics(*one) for one in sentences])
    first, _, linked = (np.concatenate(parts) for parts in zip(*sentences, strict=True))
    assert measure.fertility(rows.sum(0)) == pytest.approx(np.corrcoef(first, linked)[0, 1])
    without = rows.sum(0) - rows  # what the jackknife asks for, (4, 7)
    assert measure.fertility(without).shape == (4,)
    assert measure.fertility(without[:1])[0] == pytest.approx(np.corrcoef(first[1:], linked[1:])[0, 1])


@pytest.mark.parametrize(
    ("first", "linked", "value"),
    [
        ([1, 2, 3], [0, 1, 2], 1),
        ([1, 2, 3], [2, 1, 0], -1),
        ([0.3, 0.3, 0.3], [0, 1, 2], math.nan),  # every word alike, but for rounding
        ([1, 2, 3], [1, 1, 1], math.nan),
        ([], [], math.nan),
    ],
)
def test_fertility_by_hand(first, linked, value):
    assert measure.fertility(np.array(sums(first, first, linked))) == pytest.approx(value, nan_ok=True)
