"""Holm's correction."""

import math

import numpy as np
import pytest

from stages.statistics.multiple import holm

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
