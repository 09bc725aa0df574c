"""Decoding history, its reference implementation: by hand and in closed form."""

import math

import numpy as np

from tests.helpers.naive.one_mechanism import PREVIOUS, SOURCE
from tests.naive.decoding_history import DHEA
from tests.naive.interface import System
from tests.naive.shapes import random_params
from tests.naive.system import run


def test_dhea_by_hand():
    """c^s = 0.375; s_1 = 0.5, s_2 = 0.25: beta = (3/4, 1/4), c^t = 0.4375; W_g q + C_s c^s + C_t c^t + b_g = ln 3."""
    params = {name: np.zeros((1, 1)) for name in ("W_init", "W_a", "U_a")} | {
        name: np.zeros(1) for name in ("b_a", "v")
    }
    params |= {"b_init": np.zeros(1), "P": np.array([[2.0]]), "W_t": np.array([[5.0]]), "U_t": np.array([[2.0]])}
    params |= {"v_t": np.array([math.log(3) / (math.tanh(1.5) - math.tanh(1.0))])}
    params |= {"W_g": np.array([[10.0]]), "C_s": np.array([[8.0]]), "C_t": np.array([[16.0]])}
    params |= {"b_g": np.array([math.log(3) - 1.0 - 3.0 - 7.0])}
    cell, h, q, unused = DHEA(params), [np.array([0.5]), np.array([0.25])], np.array([0.1]), np.full(1, np.nan)
    cell.start(h)
    np.testing.assert_allclose(cell.attend(q, h, ())[1], [0.375, 0], atol=1e-15)
    for s in (0.5, 0.25):
        cell.update(unused, unused, unused, unused, np.array([s]))
    alpha, c = cell.attend(q, h, ())
    np.testing.assert_allclose(alpha, [0.5, 0.5], atol=1e-15)
    np.testing.assert_allclose(c, [0.375, 0.75 * 2 * 0.4375], atol=1e-14)


def test_dhea_of_one_past_state_has_a_closed_form():
    """beta = 1: c_2 = [alpha_2 h ; g * (P s_1)]. The gate acts on what P projects, not on what it reads."""
    params = random_params(System("dhea"), 34)
    result = run(System("dhea"), params, SOURCE, PREVIOUS)
    c_s, s_1 = result.weights[1] @ result.annotations, result.states[1]
    x = params["W_g"] @ result.queries[1] + params["C_s"] @ c_s + params["C_t"] @ s_1 + params["b_g"]
    expected = np.concatenate([c_s, params["P"] @ s_1 / (1 + np.exp(-x))])
    np.testing.assert_allclose(result.contexts[1], expected, atol=1e-14)


def test_dhea_forgets_between_sentences():
    params = random_params(System("dhea"), 17)
    cell = DHEA(params)
    h = cell.encode(params["E_x"][SOURCE])
    s = cell.start(h)
    fresh = cell.attend(s, h, ())[1]
    cell.update(None, None, None, None, s)
    assert np.abs(cell.attend(s, h, ())[1] - fresh).max() > 1e-3
    cell.start(h)
    np.testing.assert_array_equal(cell.attend(s, h, ())[1], fresh)
