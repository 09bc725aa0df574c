"""Bridging (Kuang et al. 2018), its reference implementations: what is handed over, and what learns from it."""

from functools import partial

import numpy as np
import pytest

from tests.helpers.naive.one_term import (
    PREVIOUS,
    SOURCE,
    TARGET,
    T,
    handing_through,
    loss_of,
    of_term,
    run_all,
    without_terms,
)
from tests.naive.gradient import directional
from tests.naive.gru import sigmoid
from tests.naive.interface import System
from tests.naive.shapes import E, H, random_params
from tests.naive.system import run


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_source_bridging_puts_the_embedding_behind_the_annotation(cell):
    system = System(cell, ("source_bridging", "source_history"))
    params = random_params(system, 40)
    result = run_all(system, params)
    np.testing.assert_array_equal(result.annotations[:, -E:], params["E_x"][SOURCE])
    plain = run(*without_terms(system, params), SOURCE, PREVIOUS)
    np.testing.assert_array_equal(result.annotations[:, :-E], plain.annotations)
    assert result.contexts.shape == (T, 2 * H + E)
    if cell == "d2":  # its start sees the whole annotation; D1's only hb_1
        start = np.tanh(params["W_init"] @ result.annotations.mean(0) + params["b_init"])
        np.testing.assert_allclose(result.states[0], start, atol=1e-14)
    else:
        np.testing.assert_array_equal(result.states[0], plain.states[0])


def test_target_bridging_hands_over_the_embedding_of_the_most_attended_word():
    """With GRU_2 giving back tiny * extra: s_i is a row of E_x, that of the largest weight."""
    system, tiny = of_term("target_bridging"), 1e-9
    gain = np.hstack([np.zeros((H, 2 * H)), tiny * np.eye(H, E)])
    params = handing_through(random_params(system, 41), gain)
    params["v"] = 5 * params["v"]
    result = run_all(system, params)
    chosen = result.weights.argmax(1)
    np.testing.assert_allclose(result.states[1:, :E] / tiny, params["E_x"][np.array(SOURCE)[chosen]], rtol=1e-12)
    assert len(set(chosen)) > 1
    params["v"] = 0 * params["v"]  # all weights equal: the first word
    equal = run_all(system, params).states[1:, :E] / tiny
    np.testing.assert_allclose(equal, np.tile(params["E_x"][SOURCE[0]], (T, 1)), rtol=1e-12)


def test_target_bridging_on_d1_enters_every_gate_beside_the_context():
    """A source of one word: c_i = h_1 and the extra input E_x(x_1) are known, and the cell is the widened one."""
    system = of_term("target_bridging", "d1")
    params = random_params(system, 42)
    result = run(system, params, [2], [2])
    y, s, c = params["E_y"][2], result.states[0], np.append(result.annotations[0], params["E_x"][2])
    W, U, C, b = (params[f"gru.{key}"] for key in "WUCb")
    gates = sigmoid(W[: 2 * H] @ y + U[: 2 * H] @ s + C[: 2 * H] @ c + b[: 2 * H])
    n = np.tanh(W[2 * H :] @ y + U[2 * H :] @ (gates[:H] * s) + C[2 * H :] @ c + b[2 * H :])
    np.testing.assert_allclose(result.states[1], (1 - gates[H:]) * s + gates[H:] * n, atol=1e-14)


def test_direct_bridging_from_the_weights():
    """On every kind of attended embedding; E_y(y_i) is the word that is being predicted."""
    params = random_params(of_term("direct_bridging"), 44)
    W, y, x = params["direct_bridging.W"], params["E_y"][TARGET], params["E_x"][SOURCE]
    weights = run_all(of_term("direct_bridging"), params).weights
    for soft, attended in ((False, x[weights.argmax(1)]), (True, weights @ x)):
        expected = ((attended @ W.T - y) ** 2).sum()
        assert loss_of(of_term("direct_bridging", bridge_soft=soft), params) == pytest.approx(expected, rel=1e-13)


def test_the_choice_of_the_bridged_word_has_no_gradient_but_a_mixture_has():
    """U_a reaches the loss through the weights alone."""
    for soft in (False, True):
        system = of_term("direct_bridging", bridge_soft=soft)
        params, direction = random_params(system, 45), random_params(system, 46)
        slope = directional(partial(loss_of, system), params, {"U_a": direction["U_a"]})
        assert (abs(slope) > 1e-6) == soft


@pytest.mark.parametrize(
    ("stopgrad", "learning"),
    [("none", {"E_x", "E_y", "W"}), ("target", {"E_x", "W"}), ("source", {"E_y", "W"})],
)
def test_what_learns_from_the_bridge(stopgrad, learning):
    """The embeddings reach the hard loss only as themselves, because the choice has no gradient."""
    system = of_term("direct_bridging", bridge_stopgrad=stopgrad)
    params, direction = random_params(system, 47), random_params(system, 48)
    assert loss_of(system, params) == loss_of(of_term("direct_bridging"), params)
    f = partial(loss_of, system)
    keys = {"E_x": "E_x", "E_y": "E_y", "W": "direct_bridging.W"}
    slopes = {name: directional(f, params, {key: direction[key]}) for name, key in keys.items()}
    assert {name for name, slope in slopes.items() if abs(slope) > 1e-6} == learning
    through = partial(loss_of, of_term("direct_bridging"))
    for name in learning:
        assert slopes[name] == pytest.approx(directional(through, params, {keys[name]: direction[keys[name]]}))
