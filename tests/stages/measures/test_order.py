"""How much of the source's order is kept: by hand, and against Kendall's tau of SciPy."""

import math

import numpy as np
import pytest
from scipy.stats import kendalltau

from stages.measures import order
from stages.measures.hard_links import NO_LINK


@pytest.mark.parametrize(
    ("best", "kept", "turned"),
    [
        ([0, 1, 2, 3], 6, 0),
        ([3, 2, 1, 0], 0, 6),
        ([0, 2, 1], 2, 1),  # zone économique: two words change places
        ([0, 3, 2, 1, 4], 7, 3),  # European Economic Area
        ([0, 0, 1], 2, 0),  # two target words of one source word are in no order
        ([0, NO_LINK, 2, NO_LINK, 1], 2, 1),
        ([NO_LINK, NO_LINK], 0, 0),
        ([5], 0, 0),
        ([], 0, 0),
    ],
)
def test_pairs_of_target_words(best, kept, turned):
    assert order.statistics(np.array(best, int)) == (kept, turned)


@pytest.mark.parametrize("length", [2, 7, 40])
def test_without_ties_the_difference_of_the_shares_is_kendalls_tau(length):
    places = np.random.default_rng(length).permutation(length)
    share = float(order.of_totals(order.statistics(places)))
    assert share - (100 - share) == pytest.approx(100 * kendalltau(range(length), places).statistic)


def test_long_sentences_count_by_their_pairs():
    rows = np.array([order.statistics(np.array(best)) for best in ([1, 0], [0, 1, 2, 3])])
    assert order.of_totals(rows.sum(axis=0)) == pytest.approx(100 * 6 / 7)


def test_of_no_pair_there_is_no_share():
    assert math.isnan(order.of_totals((0, 0)))
