"""The mean of several corpora's differences: its limits, and how often they hold a known mean."""

import numpy as np
import pytest
import scipy.stats

from stages.statistics.crossed import Interval
from stages.statistics.mean_of_corpora import Estimate, Measured, heterogeneity, mean_of_corpora, p_of_mean

DRAWS = 10_000


def test_limits_of_unequal_intervals():
    found = mean_of_corpora([Estimate(1.0, Interval(-2.0, 2.0)), Estimate(5.0, Interval(1.0, 5.5))])
    assert found == (3.0, (3.0 - 2.5, 3.0 + np.sqrt(1.25) / 2))


def test_the_sign_of_what_is_compared_does_not_matter():
    given = [Estimate(1.0, Interval(0.5, 1.75)), Estimate(-2.0, Interval(-3.0, 1.0)), Estimate(0.0, Interval(0, 1))]
    turned = [Estimate(-one.difference, Interval(-one.interval.high, -one.interval.low)) for one in given]
    found, other = mean_of_corpora(given), mean_of_corpora(turned)
    assert found.difference == pytest.approx(-other.difference)
    assert found.interval == pytest.approx((-other.interval.high, -other.interval.low))


def test_of_known_spread_it_is_the_interval_of_the_mean():
    """Of independent normal differences with known variance: ±1.96 times the root of the variance of their mean."""
    errors = [0.3, 0.5, 1.2]
    given = [Estimate(0.0, Interval(-1.96 * error, 1.96 * error)) for error in errors]
    assert mean_of_corpora(given).interval.high == pytest.approx(1.96 * np.sqrt(np.square(errors).sum()) / 3)


def test_one_difference_is_no_mean():
    with pytest.raises(ValueError, match="two differences"):
        mean_of_corpora([Estimate(1.0, Interval(0.0, 2.0))])


@pytest.mark.parametrize(
    ("errors", "degrees"),
    [
        ([0.25, 0.25, 0.25], [26, 4, 8]),
        ([0.25, 0.35], [26, 4]),
        ([0.25, 0.35], [3, 3]),
        ([0.1, 1.0], [4, 26]),
        ([1.0, 1.0, 1.0], [4, 4, 4]),
        ([0.3, 0.3], [1000, 1000]),
    ],
)
def test_95_percent_intervals_hold_the_known_mean_in_95_to_99_percent(errors, degrees):
    """Corpora with effects of their own; errors: of each difference, known from so many degrees of freedom."""
    random = np.random.default_rng(2026)
    effects = np.linspace(-0.5, 1.0, len(errors))
    differences = random.normal(effects, errors, (DRAWS, len(errors)))
    found = np.sqrt(random.chisquare(degrees, (DRAWS, len(errors))) / degrees) * errors
    half = scipy.stats.t.ppf(0.975, degrees) * found
    held = 0
    for difference, width in zip(differences, half, strict=True):
        given = [Estimate(d, Interval(d - w, d + w)) for d, w in zip(difference, width, strict=True)]
        low, high = mean_of_corpora(given).interval
        held += low <= effects.mean() <= high
    assert 0.945 <= held / DRAWS <= 0.99


def test_cochrans_q_by_hand():
    """Two differences with standard errors of 1 and 2: weights 1 and 1/4, mean 0.4."""
    z = scipy.stats.norm.ppf(0.975)
    given = [Estimate(0.0, Interval(-z, z)), Estimate(2.0, Interval(2 - 2 * z, 2 + 2 * z))]
    expected = 0.4**2 + 1.6**2 / 4
    assert heterogeneity(given) == pytest.approx((expected, scipy.stats.chi2.sf(expected, 1)))


def test_one_difference_disagrees_with_none():
    with pytest.raises(ValueError, match="two differences"):
        heterogeneity([Estimate(1.0, Interval(0.0, 2.0))])


def test_without_spread_only_equal_differences_agree():
    point = Estimate(1.0, Interval(1.0, 1.0))
    assert heterogeneity([point, point]).p == 1
    assert heterogeneity([point, Estimate(1.5, Interval(1.0, 2.0))]).p == pytest.approx(0.05)


def q_is_significant(degrees, apart=0.0, draws=4000):
    """How often of corpora whose true differences are the same, or so far apart in all."""
    random = np.random.default_rng(56)
    effects = np.linspace(0, apart, len(degrees))
    differences = random.normal(effects, 0.3, (draws, len(degrees)))
    half = scipy.stats.t.ppf(0.975, degrees) * 0.3 * np.sqrt(random.chisquare(degrees, differences.shape) / degrees)
    found = [
        heterogeneity([Estimate(d, Interval(d - h, d + h)) for d, h in zip(*both, strict=True)]).p
        for both in zip(differences, half, strict=True)
    ]
    return np.mean(np.array(found) < 0.05)


@pytest.mark.parametrize("degrees", [[26, 4, 8], [2, 2, 2], [26, 26], [3, 3], [1000, 1000, 1000]])
def test_corpora_that_agree_seem_to_disagree_in_5_percent_at_most(degrees):
    assert q_is_significant(degrees) <= 0.06


def test_corpora_that_disagree_are_found():
    assert q_is_significant([26, 26], apart=1.5) > 0.9
    assert q_is_significant([26, 4, 8], apart=2.0) > 0.9


def test_p_of_a_mean_of_known_spread_is_that_of_the_z_test():
    errors, differences = [0.3, 0.5, 1.2], [0.4, 0.9, -0.2]
    given = [Measured(d, error, 1e9) for d, error in zip(differences, errors, strict=True)]
    z = sum(differences) / np.sqrt(np.square(errors).sum())
    assert p_of_mean(given) == pytest.approx(2 * scipy.stats.norm.sf(z), rel=1e-6)


@pytest.mark.parametrize("degrees", [[3.0, 20.0], [2.0, 2.0, 7.5]])
def test_p_of_a_mean_is_where_its_interval_reaches_0(degrees):
    errors = np.linspace(0.2, 0.5, len(degrees))
    half = scipy.stats.t.ppf(0.975, degrees) * errors
    differences = np.full(len(degrees), np.sqrt(np.square(half).sum()) / len(degrees))
    given = [Measured(*one) for one in zip(differences, errors, degrees, strict=True)]
    assert p_of_mean(given) == pytest.approx(0.05)
    assert p_of_mean([one._replace(difference=-one.difference) for one in given]) == pytest.approx(0.05)


@pytest.mark.parametrize(("differences", "p"), [((0.0, 0.0), 1.0), ((1.0, -1.0), 1.0), ((1.0, 0.0), 0.0)])
def test_p_of_a_mean_without_any_spread(differences, p):
    assert p_of_mean([Measured(one, 0.0, 1.0) for one in differences]) == p


def test_a_corpus_without_spread_is_what_the_others_are_held_against():
    near, exact = Estimate(0.1, Interval(-0.9, 1.1)), Estimate(0.0, Interval(0.0, 0.0))
    almost = Estimate(0.0, Interval(-1e-6, 1e-6))
    assert heterogeneity([near, exact]) == pytest.approx(heterogeneity([near, almost]), rel=1e-3)
    assert heterogeneity([near, exact]).p > 0.8
    assert heterogeneity([exact, exact]) == (0.0, 1.0)
    assert heterogeneity([exact, exact._replace(difference=1.0)]).p == 0
