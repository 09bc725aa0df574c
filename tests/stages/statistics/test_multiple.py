"""Corrections for many comparisons."""

import math

import numpy as np
import pytest
import scipy.stats

from stages.statistics.multiple import benjamini_hochberg, holm

NAN = math.nan


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.02, 0.02], [0.04, 0.04]),
        ([0.6, 0.7, 0.0], [1, 1, 0]),
        ([0.01, NAN, 0.04, NAN], [0.02, NAN, 0.04, NAN]),  # the undefined do not count
        ([NAN], [NAN]),
        ([], []),
        ([0.03], [0.03]),
    ],
)
def test_holm(p, adjusted):
    assert holm(np.array(p)) == pytest.approx(np.array(adjusted), nan_ok=True)


def test_holm_rejects_what_its_definition_rejects():
    random = np.random.default_rng(0)
    for size in (1, 2, 5, 9):
        p = random.random(size) ** 3
        for level in (0.01, 0.05, 0.2, 0.5):
            rejected = set()
            for k, test in enumerate(np.argsort(p)):  # from the smallest on, until one is not small enough
                if p[test] > level / (size - k):
                    break
                rejected.add(test)
            assert set(np.flatnonzero(holm(p) <= level)) == rejected


def test_benjamini_hochberg_is_that_of_scipy():
    random = np.random.default_rng(0)
    for size in (1, 2, 5, 40):
        p = random.random(size) ** 3
        assert benjamini_hochberg(p) == pytest.approx(scipy.stats.false_discovery_control(p))
    assert list(benjamini_hochberg(np.array([]))) == []


def test_of_what_survives_five_percent_are_false_at_most():
    """80 true and 120 false hypotheses, 400 studies."""
    random = np.random.default_rng(56)
    false = []
    for _ in range(400):
        p = 2 * scipy.stats.norm.sf(abs(np.append(random.normal(0, 1, 80), random.normal(3, 1, 120))))
        found = benjamini_hochberg(p) <= 0.05
        false.append(found[:80].sum() / max(1, found.sum()))
    assert np.mean(false) == pytest.approx(0.05 * 80 / 200, abs=0.004)
