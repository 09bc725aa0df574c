"""Coverage (Tu et al. 2016), its reference implementations: by hand and in closed form."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_term import S, of_term, run_all
from tests.naive.nn_coverage_gru import NnCoverageGru
from tests.naive.nn_coverage_tanh import NnCoverageTanh
from tests.naive.shapes import D, H, random_params


def test_subtracted_coverage_is_what_is_left_of_one():
    system = of_term("linguistic_coverage", linguistic_coverage_mode="subtract")
    result = run_all(system, random_params(system, 20))
    C = result.histories["linguistic_coverage"][:, :, 0]
    np.testing.assert_allclose(C, 1 - np.vstack([np.zeros(S), np.cumsum(result.weights, 0)]), atol=1e-14)


def test_nn_coverage_tanh_by_hand():
    p = {"U": [[2.0]], "p": [3.0], "A": [[5.0, 0.0]], "B": [[7.0]], "b": [0.5]}
    term = NnCoverageTanh({name: np.array(value) for name, value in p.items()})
    C_i = term.covered(np.array([0.1]), 0.25, np.array([0.01, 9.0]), np.array([-0.1]))
    assert C_i == pytest.approx(math.tanh(0.2 + 0.75 + 0.05 - 0.7 + 0.5), abs=1e-15)


def test_nn_coverage_gru_by_hand():
    """r = 1/4, z = 1/2 through the biases, candidate state 0.1 + 0.2 + 0.3 + 1/4 * 2 * 0.4; z keeps."""
    b = [math.log(1 / 3), 0.0, 0.0]
    p = {"U": [[0], [0], [2.0]], "p": [0, 0, 1.0], "A": [[0], [0], [1.0]], "B": [[0], [0], [1.0]], "b": b}
    term = NnCoverageGru({name: np.array(value, float) for name, value in p.items()})
    C_i = term.covered(np.array([0.4]), 0.1, np.array([0.2]), np.array([0.3]))
    assert C_i == pytest.approx(0.5 * 0.4 + 0.5 * math.tanh(0.8), abs=1e-15)


def test_nn_coverage_gru_reset_before_scales_the_state():
    """r = (1/2, 1/4), z takes the candidate state: U (r * C) = 2 * 1/4 before, r * (U C) = 1/2 * 2 after."""
    U = np.zeros((6, 2))
    U[4] = [0.0, 2.0]
    b = np.array([0.0, -math.log(3), -40, -40, 0, 0])
    p = {"U": U, "p": np.zeros(6), "A": np.zeros((6, 1)), "B": np.zeros((6, 1)), "b": b}
    one = np.ones(1)
    for reset_before, expected in ((False, 1.0), (True, 0.5)):
        C_i = NnCoverageGru(p, gru_reset_before=reset_before).covered(np.array([7.0, 1.0]), 0.5, one, one)
        np.testing.assert_allclose(C_i, [math.tanh(expected), 0], atol=1e-15)


@pytest.mark.parametrize("name", ["nn_coverage_tanh", "nn_coverage_gru"])
@pytest.mark.parametrize("cell", ["d1", "d2"])
@pytest.mark.parametrize("state", ["prev", "query"])
def test_which_state_neural_coverage_sees(name, cell, state):
    """With every other input cut off, C_ij = tanh(tiny B s) for all j. On D1 the query is s_{i-1}."""
    system = of_term(name, cell, nn_coverage_state=state)
    params, tiny, B = random_params(system, 23), 1e-9, np.arange(1.0, 1 + D * H).reshape(D, H)
    params |= {f"{name}.{key}": 0 * params[f"{name}.{key}"] for key in ("U", "p", "A", "B", "b")}
    params[f"{name}.B"][-D:] = tiny * B
    if name == "nn_coverage_gru":
        params[f"{name}.b"][D : 2 * D] = -60
    result = run_all(system, params)
    seen = {"prev": result.states[:-1], "query": result.queries}[state] @ B.T
    for j in range(S):
        np.testing.assert_allclose(result.histories[name][1:, j] / tiny, seen, rtol=1e-12)
