"""Constrained sparsemax (Malaviya et al. 2018), its reference implementation: by hand, bisection and Jacobians."""

import math

import numpy as np
import pytest

from tests.naive.constrained_sparsemax import ConstrainedSparsemax, csparsemax
from tests.naive.gradient import gradient
from tests.naive.interface import Sentence
from tests.naive.shapes import E


def started(S: int, params: dict[str, list] | None = None, **options: str | float) -> ConstrainedSparsemax:
    """Of a source of S annotations 0.1, 0.2, …"""
    term = ConstrainedSparsemax({name: np.array(value) for name, value in (params or {}).items()}, **options)
    term.start(Sentence([3] * (S - 1) + [2], np.zeros((S, E)), [np.array([(j + 1) / 10]) for j in range(S)]))
    return term


def step(term: ConstrainedSparsemax, e: list[float]) -> np.ndarray:
    """alpha_i, which the state then holds."""
    unused = np.full(1, np.nan)
    alpha = term.normalise(np.array(e))
    term.update(alpha, unused, unused, unused, unused)
    return alpha


@pytest.mark.parametrize(
    ("z", "u", "expected"),
    [
        ([7.0], [1.0], [1]),
        ([1.0, 0.8, 0.0], [1.0, 1.0, 1.0], [0.6, 0.4, 0]),  # no bound is met: sparsemax
        ([1.0, 0.8, 0.0], [0.5, 1.0, 1.0], [0.5, 0.5, 0]),  # tau = 0.3
        ([1.0, 0.8, 0.0], [0.5, 0.3, 1.0], [0.5, 0.3, 0.2]),  # tau = -0.2
        ([1.0, 0.8, 0.0], [0.0, 0.0, 1.0], [0, 0, 1]),
        ([1.0, 0.8, 0.0, 0.0], [0.25, 0.25, 1.0, 1.0], [0.25] * 4),
        ([1.0, 0.8, 0.0], [0.75, 0.25, 1.0], [0.75, 0.25, 0]),  # every tau from 0 to 0.25
        ([5.0, 4.0, 3.0], [0.5, 0.25, 0.25], [0.5, 0.25, 0.25]),  # every tau up to 2.75: the bounds are all there is
        ([0.0, 9.0, 0.0], [1.0, 0.0, 1.0], [0.5, 0, 0.5]),  # no credit left
    ],
)
def test_csparsemax_by_hand(z, u, expected):
    np.testing.assert_allclose(csparsemax(np.array(z), np.array(u)), expected, atol=1e-15)


@pytest.mark.parametrize(("S", "scale"), [(2, 1.0), (5, 0.1), (5, 1.0), (31, 1.0), (31, 30.0), (31, 1e-9)])
def test_tau_is_what_bisection_finds(S, scale):
    """The sum of min([z - tau]_+, u) falls in tau. Some bounds are 0, the last one is 1."""
    rng = np.random.default_rng(80)
    for _ in range(20):
        z, u = rng.normal(0, scale, S), np.append(np.maximum(rng.uniform(-0.2, 0.6, S - 1), 0), 1.0)
        low, high = z.min() - 1, z.max()
        for _ in range(100):
            middle = (low + high) / 2
            if np.minimum(np.maximum(z - middle, 0), u).sum() >= 1:
                low = middle
            else:
                high = middle
        p = csparsemax(z, u)
        np.testing.assert_allclose(p, np.minimum(np.maximum(z - low, 0), u), rtol=0, atol=1e-12)
        assert p.sum() == pytest.approx(1, abs=1e-14)
        assert (p >= 0).all() and (p <= u + 1e-14).all()


def test_no_other_distribution_within_the_bounds_is_nearer():
    rng, farther = np.random.default_rng(82), []
    for _ in range(30):
        z, u = rng.normal(0, 1, 4), np.append(rng.uniform(0, 0.6, 3), 1.0)
        p = csparsemax(z, u)
        others = [q for q in rng.dirichlet(np.ones(4), 300) if (q <= u).all()]
        farther += [((q - z) ** 2).sum() - ((p - z) ** 2).sum() for q in others]
    assert len(farther) > 300
    assert min(farther) > 0


def test_jacobians_of_the_paper():
    """Between the bounds, n words: dp/dz = 1 - 1 1^T / n there; a bound met is handed on, and all n pay for it."""
    z, u = np.array([1.0, 0.8, 0.1, 0.0, -9.0]), np.array([0.5, 0.3, 1.0, 1.0, 1.0])
    p = {"z": z, "u": u}
    np.testing.assert_allclose(csparsemax(z, u), [0.5, 0.3, 0.15, 0.05, 0], atol=1e-15)

    def jacobian(name: str) -> list[np.ndarray]:
        return [gradient(lambda q, j=j: csparsemax(q["z"], q["u"])[j], p, name) for j in range(5)]

    of_z, of_u = np.zeros((5, 5)), np.zeros((5, 5))
    of_z[2:4, 2:4] = [[0.5, -0.5], [-0.5, 0.5]]
    of_u[:2, :2] = np.eye(2)
    of_u[2:4, :2] = -0.5
    np.testing.assert_allclose(jacobian("z"), of_z, atol=1e-15)
    np.testing.assert_allclose(jacobian("u"), of_u, atol=1e-15)


@pytest.mark.parametrize("u", [[0.75, 0.25, 1.0, 1.0], [0.1 + 0.2, 0.7, 1.0, 1.0]])
def test_where_only_bounds_bear_the_weights_they_alone_are_learnt_from(u):
    """Whatever rounding makes of their sum."""
    p = {"z": np.array([1.0, 0.8, 0.1, 0.1]), "u": np.array(u)}
    for name, expected in (("u", np.diag([1, 1, 0, 0])), ("z", np.zeros((4, 4)))):
        jacobian = [gradient(lambda q, j=j: csparsemax(q["z"], q["u"])[j], p, name) for j in range(4)]
        np.testing.assert_array_equal(jacobian, expected)
    np.testing.assert_array_equal(csparsemax(**p), [*u[:2], 0, 0])


def test_credit_by_hand():
    """Two words of fertility 1 and the sink, c = 0.5; their energies are 0.2, 0.1 and 0."""
    term, e = started(3, csparsemax_limit=1.0, csparsemax_credit=0.5), [0.2, 0.1, 0.0]
    # z = 0.7, 0.6, 0; tau = 0.15
    np.testing.assert_allclose(step(term, e), [0.55, 0.45, 0], atol=1e-15)
    # left = 0.45, 0.55; z = 0.425, 0.375, 0; the first word is full, so tau = (0.375 + 0 + 0.45 - 1) / 2 = -0.0875
    np.testing.assert_allclose(step(term, e), [0.45, 0.4625, 0.0875], atol=1e-15)
    # left = 0, 0.0875: both words are full
    np.testing.assert_allclose(step(term, e), [0, 0.0875, 0.9125], atol=1e-15)
    np.testing.assert_allclose(step(term, [9.0, 9.0, 0.0]), [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(np.ravel(term.state), [1, 1, 2], atol=1e-15)


def test_the_defaults_are_a_fertility_of_2_and_a_credit_of_a_fifth():
    """z = 0.2 * 2 for either word, 0 for the sink: tau = -0.2 / 3."""
    term = started(3)
    np.testing.assert_allclose(step(term, [0.0, 0.0, 0.0]), [1.4 / 3, 1.4 / 3, 0.2 / 3], atol=1e-15)
    for _ in range(9):
        step(term, [5.0, 5.0, 0.0])
    np.testing.assert_allclose(np.ravel(term.state), [2, 2, 6], atol=1e-14)


def test_the_sink_is_neither_bounded_nor_helped():
    """Its energy is the largest: it gets everything, at every step. Alone it has no choice."""
    term = started(3, csparsemax_limit=0.5)
    for _ in range(4):
        np.testing.assert_array_equal(step(term, [0.0, 0.0, 9.0]), [0, 0, 1])
    assert np.ravel(term.state).tolist() == [0, 0, 4]
    np.testing.assert_array_equal(step(started(1), [-3.0]), [1])
    even, credit = started(2, csparsemax_credit=0.0), started(2, csparsemax_credit=0.1)
    np.testing.assert_allclose(step(even, [0.0, 0.0]), [0.5, 0.5], atol=1e-15)
    np.testing.assert_allclose(step(credit, [0.0, 0.0]), [0.6, 0.4], atol=1e-15)


def test_predicted_fertility_by_hand():
    """U_f h_j + b_f = ln 3 for h_1 = 0.1 and -ln 3 for h_2 = 0.2: f = 2 * 3/4 and 2 * 1/4."""
    params = {"U_f": [[-20 * math.log(3)]], "b_f": [3 * math.log(3)]}
    term = started(3, params, csparsemax_fertility="predicted", csparsemax_credit=0.0)
    np.testing.assert_allclose(step(term, [3.0, 9.0, 0.0]), [0.5, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(step(term, [3.0, 9.0, 0.0]), [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(step(term, [3.0, 9.0, 0.0]), [0, 0, 1], atol=1e-15)
