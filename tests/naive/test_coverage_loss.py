"""The coverage loss (See et al. 2017), its reference implementation: by hand, and between its bounds."""

import numpy as np
import pytest

from tests.helpers.naive.one_term import S, T, loss_of, of_term, run_all
from tests.naive.coverage_loss import CoverageLoss
from tests.naive.gradient import gradient
from tests.naive.interface import Target
from tests.naive.shapes import E, random_params

ALPHA = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]])


def coverage_loss(alpha: np.ndarray, **options: float) -> complex | float:
    return CoverageLoss({}, **options).loss(Target(np.zeros((len(alpha), E)), alpha, None))


def test_coverage_loss_by_hand():
    """c_2 = alpha_1 and c_3 = (0.8, 0.8, 0.4): nothing, then 0.1 + 0.2 + 0.1, then all of alpha_3."""
    assert coverage_loss(ALPHA[:1]) == 0
    assert coverage_loss(ALPHA[:2]) == pytest.approx(0.4, abs=1e-15)
    assert coverage_loss(ALPHA) == pytest.approx(1.4, abs=1e-15)
    assert coverage_loss(ALPHA, coverage_loss_lambda=0.5) == pytest.approx(0.7, abs=1e-15)


def test_the_loss_learns_from_the_smaller_of_the_two():
    """Step 3: from alpha_3 alone. Step 2: from alpha_2 where it is the smaller, otherwise from c_2 = alpha_1."""
    slopes = gradient(lambda p: coverage_loss(p["alpha"]), {"alpha": ALPHA}, "alpha")
    np.testing.assert_array_equal(slopes, [[0, 1, 1], [1, 0, 0], [1, 1, 1]])


def test_words_attended_to_once_cost_nothing_and_one_word_costs_every_repetition():
    assert coverage_loss(np.eye(5)[[2, 0, 4, 1, 3]]) == 0
    assert coverage_loss(np.eye(5)[[2, 2, 2, 2]]) == 3


def test_coverage_loss_of_even_weights():
    """v = 0: every weight is 1/S, and from the second step on the coverage is not the smaller one."""
    system = of_term("coverage_loss")
    params = random_params(system, 60)
    params["v"] = 0 * params["v"]
    assert loss_of(system, params) == pytest.approx(T - 1, abs=1e-14)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_coverage_loss_is_below_one_a_step_and_looks_at_every_position(cell):
    """sum_j min(a_j, c_j) = sum_j (a_j + c_j - |a_j - c_j|) / 2, eos included on both sides."""
    system = of_term("coverage_loss", cell)
    result = run_all(system, random_params(system, 61))
    c = np.vstack([np.zeros(S), np.cumsum(result.weights, 0)[:-1]])
    expected = (result.weights + c - np.abs(result.weights - c)).sum() / 2
    assert result.losses["coverage_loss"] == pytest.approx(expected, abs=1e-14)
    assert 0 < expected < T - 1
