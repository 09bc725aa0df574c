"""Differences over seeds against scipy."""

import itertools
import math

import pytest
import scipy.stats

from stages.statistics.seeds import OverSeeds, over_seeds, paired, t_test, verdict, welch

NAN = math.nan


def test_over_seeds():
    assert over_seeds([30.0, 31.0, 33.5]) == pytest.approx((31.5, math.sqrt(3.25), 3))
    assert over_seeds([30.0]) == pytest.approx((30, NAN, 1), nan_ok=True)


@pytest.mark.parametrize(
    ("system", "opponent"),
    [
        ([30.1, 31.0, 30.4], [29.0, 29.9, 29.1]),
        ([30.0, 30.0], [29.0, 30.25]),  # no spread on one side
        ([30.1, 31.3], [29.0, 29.9]),
        ([30.1, 31.0, 30.4, 30.2, 30.8], [29.0, 22.0, 35.0]),
        ([30.0, 31.0], [30.0, 31.0]),
    ],
)
@pytest.mark.filterwarnings("ignore:Precision loss")  # scipy's, of a side without spread
def test_welch_is_that_of_scipy(system, opponent):
    theirs = scipy.stats.ttest_ind(system, opponent, equal_var=False).pvalue
    assert welch(over_seeds(system), over_seeds(opponent)) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("system", "opponent", "p", "said"),
    [
        (OverSeeds(30, NAN, 1), OverSeeds(20, NAN, 1), NAN, "one seed: unknown"),
        (OverSeeds(30, NAN, 1), OverSeeds(20, 1, 3), NAN, "one seed: unknown"),
        (OverSeeds(30, 1, 3), OverSeeds(20, NAN, 1), NAN, "one seed: unknown"),
        (OverSeeds(30, 0, 3), OverSeeds(30, 0, 3), 1, "inside seed noise"),
        (OverSeeds(30, 0, 3), OverSeeds(29, 0, 3), 0, "beyond seed noise"),
        (OverSeeds(30, 1, 3), OverSeeds(29.5, 1, 3), 0.573, "inside seed noise"),
        (OverSeeds(33, 1, 3), OverSeeds(29.5, 1, 3), 0.0128, "beyond seed noise"),
    ],
)
def test_seed_noise(system, opponent, p, said):
    assert welch(system, opponent) == pytest.approx(p, abs=5e-4, nan_ok=True)
    assert verdict(welch(system, opponent), 0.05) == said


@pytest.mark.parametrize(("p", "said"), [(0.05, "beyond seed noise"), (0.0501, "inside seed noise")])
def test_the_level_itself_is_beyond_seed_noise(p, said):
    assert verdict(p, 0.05) == said


def test_student_is_that_of_scipy():
    for t, df in itertools.product([0, 1e-3, 0.3, 1, 2.5, 4.303, 12.7, -3, 200], [1, 1.37, 2, 4, 7.9, 30, 200]):
        assert t_test(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-9), (t, df)


@pytest.mark.parametrize(
    ("system", "opponent", "p"),
    [
        ([28.84, 29.11, 28.52], [28.60, 28.95, 28.34], 0.0151),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 1.0),
        ([1.5, 2.5, 3.5], [1.0, 2.0, 3.0], 0.0),
    ],
)
def test_paired_runs_are_compared_seed_by_seed(system, opponent, p):
    assert paired(system, opponent) == pytest.approx(p, abs=5e-4)
    if 0 < p < 1:
        assert paired(system, opponent) == pytest.approx(float(scipy.stats.ttest_rel(system, opponent).pvalue))


def test_one_pair_of_runs_says_nothing():
    assert math.isnan(paired([1.0], [2.0]))
