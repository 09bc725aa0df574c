"""Sparsemax and entmax, their reference implementations: by hand, their Jacobians, and what defines them."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_term import PREVIOUS, SOURCE, of_term
from tests.naive.entmax15 import entmax15
from tests.naive.gradient import gradient
from tests.naive.shapes import random_params
from tests.naive.sparsemax import sparsemax
from tests.naive.system import run

BOTH = {"sparsemax": sparsemax, "entmax15": entmax15}
SIZES_AND_SCALES = [(1, 1.0), (2, 1.0), (5, 0.1), (5, 1.0), (31, 1.0), (31, 30.0), (31, 1e-9)]


def tsallis_entropy(name: str, p: np.ndarray) -> float:
    """What each adds to p^T z: sum_j (p_j - p_j^a) / (a (a - 1)), a = 2 or 1.5 (Peters et al. 2019, Sec. 3.1)."""
    a = {"sparsemax": 2.0, "entmax15": 1.5}[name]
    return float((p - p**a).sum() / (a * (a - 1)))


@pytest.mark.parametrize(
    ("z", "expected"),
    [
        ([0.5], [1]),
        ([0.0, 0.0, 0.0, 0.0], [0.25] * 4),
        ([3.0, 1.5, 1.9], [1, 0, 0]),
        ([0.1, 1.1, 0.5, -0.3], [0, 0.8, 0.2, 0]),  # tau = 0.3
        ([0.5, -0.1, 0.6, 0.4], [1 / 3, 0, 1.3 / 3, 0.7 / 3]),  # tau = 0.5 / 3
        ([1.0, 0.0, 2.0], [0, 0, 1]),  # tau = 1 is the second number: just not in the support
    ],
)
def test_sparsemax_by_hand(z, expected):
    np.testing.assert_allclose(sparsemax(np.array(z)), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("z", "expected"),
    [
        ([0.5], [1]),
        ([0.0, 0.0, 0.0, 0.0], [0.25] * 4),
        ([3.0, 0.5, 0.9], [1, 0, 0]),
        ([0.0, 0.4], [0.36, 0.64]),  # z / 2 = 0, 0.2 and tau = -0.6
        ([2 / 3, 0.0, 2 / 3, -1.0], [4 / 9, 1 / 9, 4 / 9, 0]),  # z / 2 = 1/3, 0, 1/3, -1/2 and tau = -1/3
        ([0.0, 2.0], [0, 1]),  # tau = 0 is the first number: just not in the support
    ],
)
def test_entmax15_by_hand(z, expected):
    np.testing.assert_allclose(entmax15(np.array(z)), expected, atol=1e-15)


@pytest.mark.parametrize("t", [-3.0, -0.9, 0.0, 0.3, 0.99, 1.01, 1.9, 2.1])
def test_of_two_numbers_each_has_a_closed_form(t):
    """For entmax sqrt(p_1) - sqrt(p_2) = t / 2 with p_1 + p_2 = 1, until p_1 is 1."""
    z = np.array([t, 0.0])
    assert sparsemax(z)[0] == pytest.approx(min(max((t + 1) / 2, 0), 1), abs=1e-15)
    u = min(max(t, -2), 2)
    assert entmax15(z)[0] == pytest.approx((u / 4 + math.sqrt(1 / 2 - u**2 / 16)) ** 2, abs=1e-15)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(("S", "scale"), SIZES_AND_SCALES)
def test_tau_is_what_bisection_finds(name, S, scale):
    """The sum of [z - tau]_+, or of [z / 2 - tau]_+^2, falls in tau, and is 0 at the largest number."""
    z = np.random.default_rng(70).normal(0, scale, S)
    x, power = {"sparsemax": (z, 1), "entmax15": (z / 2, 2)}[name]
    low, high = x.max() - 1, x.max()
    for _ in range(100):
        middle = (low + high) / 2
        if (np.maximum(x - middle, 0) ** power).sum() >= 1:
            low = middle
        else:
            high = middle
    np.testing.assert_allclose(BOTH[name](z), np.maximum(x - low, 0) ** power, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(("S", "scale"), SIZES_AND_SCALES)
def test_weights_are_a_distribution_that_follows_order_and_place(name, S, scale):
    """They keep the order of the numbers, move with them, and stay when all rise by the same."""
    of, rng = BOTH[name], np.random.default_rng(71)
    z = rng.normal(0, scale, S)
    p, order = of(z), rng.permutation(S)
    assert (p >= 0).all()
    assert p.sum() == pytest.approx(1, abs=1e-14)
    assert (np.diff(p[np.argsort(z)]) >= 0).all()
    np.testing.assert_allclose(of(z[order]), p[order], atol=1e-14)
    np.testing.assert_allclose(of(z + 100), p, atol=1e-12)


@pytest.mark.parametrize("name", BOTH)
def test_no_other_distribution_does_better(name):
    """Of p^T z + entropy; for sparsemax that is the nearest distribution. Near it, far from it, and at the corners."""
    rng, gained = np.random.default_rng(72), []
    for _ in range(50):
        z = rng.normal(0, 1, 4)
        best = BOTH[name](z)
        for other in [*rng.dirichlet(np.ones(4), 20), *np.eye(4)]:
            for p in (other, 0.999 * best + 0.001 * other):
                gained.append(best @ z + tsallis_entropy(name, best) - p @ z - tsallis_entropy(name, p))
    assert min(gained) > -1e-14
    assert max(gained) > 0.1


@pytest.mark.parametrize("name", BOTH)
def test_jacobians_of_the_papers(name):
    """diag(s) - s s^T / sum(s), where s_j is 1 or sqrt(p_j) in the support, 0 outside it."""
    rng = np.random.default_rng(73)
    for scale in (0.1, 0.7, 2.0):
        z = rng.normal(0, scale, 6)
        p = BOTH[name](z)
        s = {"sparsemax": np.sign(p), "entmax15": np.sqrt(p)}[name]
        jacobian = [gradient(lambda q, j=j: BOTH[name](q["z"])[j], {"z": z}, "z") for j in range(6)]
        np.testing.assert_allclose(jacobian, np.diag(s) - np.outer(s, s) / s.sum(), atol=1e-13)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_in_the_loop_the_weights_are_those_of_the_energies(name, cell):
    """The first step's energies are the baseline's, known from its weights but for a constant. Large v: zeros."""
    system = of_term(name, cell)
    params = random_params(system, 74)
    params["v"] = 3 * params["v"]
    e = np.log(run(system._replace(terms=(), options={}), params, SOURCE, PREVIOUS).weights[0])
    weights = run(system, params, SOURCE, PREVIOUS).weights
    np.testing.assert_allclose(weights[0], BOTH[name](e), atol=1e-13)
    assert (weights == 0).any()
    params["v"] = 0 * params["v"]
    np.testing.assert_allclose(run(system, params, SOURCE, PREVIOUS).weights, 1 / len(SOURCE), atol=1e-15)


def test_entmax_is_denser_than_sparsemax():
    rng = np.random.default_rng(75)
    sizes = [[np.count_nonzero(of(z)) for of in (sparsemax, entmax15)] for z in rng.normal(0, 1, (50, 8))]
    assert all(sparse <= dense for sparse, dense in sizes)
    assert any(sparse < dense for sparse, dense in sizes)
