"""Whole steps of the reference implementations by hand: one unit everywhere, numbers that come out round."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_system import HISTORIES
from tests.naive import Params
from tests.naive.interface import System
from tests.naive.readout import maxout
from tests.naive.system import log_likelihood, run


def by_hand() -> Params:
    """One unit everywhere and z = 0, so that every cell is tanh(W_n u); the numbers are chosen to come out round."""
    at = math.atanh
    shut = {"U": np.zeros((3, 1)), "b": np.array([0.0, -60.0, 0.0])}
    cells = {
        "enc_f": [1.0],  # hf_j = tanh(x_j): 0.5, 0.25
        "enc_b": [0.0],  # hb_j = 0
        "gru_1": [at(0.6) / 0.5],  # y = 0.5 -> s'_i = 0.6
        "gru_2": [at(0.5) / 0.4375, 0.0],  # c = 0.4375 -> s_i = 0.5
        "source_history.gru": [at(0.3) / 0.375, 0.0],  # I_11 = 0.75 * 0.5 = 0.375 -> ~h_1 = 0.3
        "target_history.gru": [1.0],  # ~s_1 = tanh(0.75 * state)
    }
    params = {
        f"{cell}.{name}": array
        for cell, row in cells.items()
        for name, array in (shut | {"W": np.array([[0.0] * len(row), [0.0] * len(row), row])}).items()
    }
    energy = math.log(3) / (math.tanh(0.5) - math.tanh(0.25))  # e_1 - e_2 = ln 3 -> alpha = 0.75, 0.25
    params |= {
        "E_x": np.array([[at(0.5)], [at(0.25)]]),
        "E_y": np.array([[0.5], [0.5]]),
        "W_init": np.array([[at(0.2) / 0.375, 0.0]]),  # mean 0.375 -> s_0 = 0.2
        "b_init": np.zeros(1),
        "W_a": np.zeros((1, 1)),
        "U_a": np.array([[1.0, 0.0]]),
        "b_a": np.zeros(1),
        "v": np.array([energy]),
        "L_s": np.array([[2.0]]),
        "L_y": np.array([[3.0]]),
        "L_c": np.array([[4.0, 0.0]]),
        "b_t": np.array([1.0]),
        "W_o": np.array([[1.0], [-1.0]]),
        "b_o": np.array([0.0, 0.5]),
        "source_history.V_h": np.zeros((1, 1)),
        "source_history.L": np.array([[10.0]]),
        "target_history.V_s": np.zeros((1, 1)),
        "target_history.L": np.array([[100.0]]),
    }
    return params


@pytest.mark.parametrize("state", ["prev", "query", "cur"])
def test_two_steps_by_hand(state):
    """Both steps: s'=0.6, alpha=(.75,.25), c=.4375, s=0.5; the second one reads what the first one wrote."""
    system = System("d2", HISTORIES, "linear", {"target_history": {"target_history_state": state}})
    result = run(system, by_hand(), [0, 1], [0, 1])
    np.testing.assert_allclose(result.annotations, [[0.5, 0], [0.25, 0]], atol=1e-14)
    np.testing.assert_allclose(result.states, [[0.2], [0.5], [0.5]], atol=1e-14)
    np.testing.assert_allclose(result.queries, [[0.6], [0.6]], atol=1e-14)
    np.testing.assert_allclose(result.weights, [[0.75, 0.25], [0.75, 0.25]], atol=1e-14)
    np.testing.assert_allclose(result.contexts, [[0.4375, 0], [0.4375, 0]], atol=1e-14)
    t_1 = 2 * 0.5 + 3 * 0.5 + 4 * 0.4375 + 1
    handed_out = {"prev": 0.2, "query": 0.6, "cur": 0.5}[state]
    source_2 = math.tanh(math.atanh(0.3) / 0.375 * 0.25 * 0.25)
    t_2 = t_1 + 10 * (0.75 * 0.3 + 0.25 * source_2)
    t_2 += 100 * (0.75 * math.tanh(0.75 * handed_out) + 0.25 * math.tanh(0.25 * handed_out))
    np.testing.assert_allclose(result.logits, [[t_1, 0.5 - t_1], [t_2, 0.5 - t_2]], atol=1e-12)


def test_histories_enter_the_energy_by_hand():
    """V_h = -1: at the second step e_j = v tanh(h_j - ~h_j^1), with ~h_j^1 = tanh(gain * alpha_1j h_j)."""
    params = by_hand() | {"source_history.V_h": np.array([[-1.0]])}
    result = run(System("d2", HISTORIES[:1], "linear"), params, [0, 1], [0, 1])
    gain = math.atanh(0.3) / 0.375
    e = [params["v"][0] * math.tanh(h - math.tanh(gain * w * h)) for h, w in ((0.5, 0.75), (0.25, 0.25))]
    first = math.exp(e[0]) / (math.exp(e[0]) + math.exp(e[1]))
    np.testing.assert_allclose(result.weights, [[0.75, 0.25], [first, 1 - first]], atol=1e-14)


def test_maxout_takes_the_larger_of_adjacent_pairs():
    np.testing.assert_array_equal(maxout(np.array([1.0, 2.0, -3.0, -4.0, 5.0, 5.0])), [2.0, -3.0, 5.0])
    np.testing.assert_array_equal(maxout(np.array([1 + 9j, 2 - 1j])), [2 - 1j])


def test_log_likelihood_by_hand():
    logits = np.log(np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])) + 1000
    assert log_likelihood(logits, [1, 2]) == pytest.approx(math.log(0.25) + math.log(0.7), abs=1e-12)
    with pytest.raises(ValueError):
        log_likelihood(logits, [1])
