"""The spread of seeds pooled over a study's systems, against numbers worked out by hand and against scipy."""

import numpy as np
import pytest
import scipy.stats

from stages.statistics.crossed import Trainings, components, half_width, interval
from stages.statistics.seed_spread import Pool, Spread, moderated, own_spread, pool


def spreads(*variances: float, df: float = 2) -> list[Spread]:
    return [Spread(variance, df) for variance in variances]


def test_own_spread_is_the_sample_variance():
    assert own_spread(np.array([1.0, 2.0, 6.0])) == (pytest.approx(7.0), 2, False)


def test_systems_weigh_by_their_degrees_of_freedom():
    found = pool([Spread(1.0, 2), Spread(4.0, 4)])
    assert found == Pool(pytest.approx((2 * 1 + 4 * 4) / 6), 6, (True, True))


@pytest.mark.parametrize("number", [0, 1])
def test_one_system_has_nothing_to_share(number: int):
    assert pool(spreads(*[1.0] * number)) is None
    assert moderated(Spread(1.0, 2), False, None) == Spread(1.0, 2)


def test_cochrans_test_leaves_an_outlying_variance_out():
    """At the level of all systems together, and then looks for the next."""
    alike = [1.0, 0.7, 1.3, 0.9, 1.1]
    limit = scipy.stats.f.isf(0.05 / 6, 2, 10)
    assert pool(spreads(*alike, 0.99 * limit)).members == (True,) * 6
    assert pool(spreads(*alike, 1.01 * limit)) == (pytest.approx(1.0), 10, (True,) * 5 + (False,))
    assert pool(spreads(300.0, *alike, 20.0)).members == (False, *[True] * 5, False)


def test_two_systems_always_remain():
    assert pool(spreads(1.0, 1e6)).members == (True, True)
    assert pool(spreads(0.0, 0.0, 1.0)) == (0, 4, (True, True, False))


def test_a_system_keeps_a_spread_that_chance_does_not_make():
    """Beside the others, of which it is none itself."""
    alike = [1.0, 0.7, 1.3, 0.9, 1.1]
    limit = scipy.stats.f.isf(0.05, 2, 10)
    for factor, pooled in ((0.0, True), (0.99, True), (1.01, False)):
        found = pool(spreads(*alike, factor * limit))
        own = Spread(factor * limit, 2)
        shared = Spread((2 * 5 + 2 * factor * limit) / 12, 12, True)
        assert found.members[-1]
        assert moderated(own, True, found) == (pytest.approx(shared) if pooled else own)
    stranger = pool(spreads(*alike))
    assert moderated(Spread(1.01 * limit, 2), False, stranger).pooled is False
    assert moderated(Spread(0.99 * limit, 2), False, stranger) == pytest.approx(Spread(1.0, 10, True))


def test_without_any_spread_none_is_made_up():
    found = pool(spreads(0.0, 0.0, 0.0))
    assert moderated(Spread(0.0, 2), True, found) == Spread(0, 6, True)
    assert moderated(Spread(1e-9, 2), False, found) == Spread(1e-9, 2)


def test_with_two_systems_it_is_students_test():
    """Of equal variances: what a pool of two is."""
    system, opponent = np.array([30.1, 31.0, 30.4]), np.array([29.0, 27.5, 29.1])
    found = pool([own_spread(system), own_spread(opponent)])
    nothing = np.zeros((3, 4))
    blocks = [Trainings(system, nothing), Trainings(-opponent, nothing)]
    both = [moderated(own_spread(values), True, found) for values in (system, opponent)]
    theirs = scipy.stats.ttest_ind(system, opponent).confidence_interval()
    assert interval(components(blocks, 4, both)) == pytest.approx(tuple(theirs), rel=1e-6)


def test_one_estimate_is_not_counted_twice():
    """Both systems have the pool's variance, known with the pool's degrees of freedom and not twice as many."""
    blocks = [Trainings(np.array([1.0, 2.0, 3.0]), np.zeros((3, 2))) for _ in range(2)]
    shared = components(blocks, 2, [Spread(0.6, 8, True)] * 2)
    assert (float(shared.seeds), float(shared.df_seeds)) == pytest.approx((0.4, 8))
    assert half_width(shared) == pytest.approx(scipy.stats.t.ppf(0.975, 8) * np.sqrt(0.4))
    mixed = components(blocks, 2, [Spread(0.6, 8, True), None])
    assert float(mixed.seeds) == pytest.approx(0.2 + 1 / 3)
    assert float(mixed.df_seeds) == pytest.approx((0.2 + 1 / 3) ** 2 / (0.2**2 / 8 + (1 / 3) ** 2 / 2))
