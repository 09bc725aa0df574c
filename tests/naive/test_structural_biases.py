"""Structural biases (Cohn et al. 2016), their reference implementations: by hand."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from tests.helpers.naive.one_term import S, T, loss_of, of_term, run_all
from tests.naive import part
from tests.naive.interface import Sentence, System
from tests.naive.position_bias import PositionBias
from tests.naive.shapes import E, random_params
from tests.naive.window import window


def test_position_features_by_hand():
    term = PositionBias({"W_p": np.eye(3)})
    term.start(Sentence([9, 9, 9, 2], np.zeros((4, E)), [np.zeros(2)] * 4))
    term.prepare(2, np.zeros(0))
    np.testing.assert_allclose(term.energy(0), [math.log(3), math.log(2), math.log(5)], atol=1e-15)
    np.testing.assert_allclose(term.energy(3), [math.log(3), math.log(5), math.log(5)], atol=1e-15)
    term.prepare(1, np.zeros(0))
    np.testing.assert_allclose(term.energy(0), [math.log(2), math.log(2), math.log(5)], atol=1e-15)


@pytest.mark.parametrize(
    ("j", "k", "expected"),
    [(0, 1, [0, 1, 2]), (1, 1, [1, 2, 3]), (2, 1, [2, 3, 0]), (1, 0, [2]), (0, 3, [0, 0, 0, 1, 2, 3, 0])],
)
def test_windows_are_zero_beyond_the_ends(j, k, expected):
    np.testing.assert_array_equal(window([1.0, 2.0, 3.0], j, k), expected)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_markov_sees_the_last_weights_and_local_fertility_their_sum(cell):
    system = System(cell, ("markov_bias", "local_fertility_bias"))
    result = run_all(system, random_params(system, 50))
    last, so_far = (result.histories[name][:, :, 0] for name in system.terms)
    np.testing.assert_array_equal(last, np.vstack([np.zeros(S), result.weights]))
    np.testing.assert_allclose(so_far, np.vstack([np.zeros(S), np.cumsum(result.weights, 0)]), atol=1e-15)
    np.testing.assert_allclose(so_far.sum(1), np.arange(T + 1), atol=1e-14)


@pytest.mark.parametrize(("name", "W"), [("markov_bias", "W_m"), ("local_fertility_bias", "W_f")])
def test_weights_around_a_word_enter_its_energy(name, W):
    """With nothing else inside the tanh: e_ij = v^T tanh(W xi(a, j)) from the weights of the steps before."""
    system = of_term(name)
    params = random_params(system, 51)
    params |= {key: 0 * params[key] for key in ("W_a", "U_a", "b_a")}
    weights = run_all(system, params).weights
    np.testing.assert_allclose(weights[0], 1 / S, atol=1e-15)
    for i in range(1, T):
        a = weights[i - 1] if name == "markov_bias" else weights[:i].sum(0)
        padded = np.pad(a, 1)
        around = np.array([padded[:-2], padded[1:-1], padded[2:]])
        e = params["v"] @ np.tanh(params[f"{name}.{W}"] @ around)
        np.testing.assert_allclose(weights[i], np.exp(e) / np.exp(e).sum(), atol=1e-14)
    assert np.abs(weights[2] - 1 / S).max() > 1e-3


def test_global_fertility_by_hand():
    """mu = 1 and var = e^2 for every word: each f_j costs (f_j - 1)^2 / (2 e^2) + log(2 pi) / 2 + 1, but for eos."""
    system = of_term("global_fertility", fertility_lambda=0.5, fertility_penalty=0.25)
    params = random_params(system, 52)
    params |= {f"global_fertility.{key}": 0 * params[f"global_fertility.{key}"] for key in ("w_mu", "w_v")}
    params |= {"global_fertility.b_mu": np.array([1.0]), "global_fertility.b_v": np.array([2.0])}
    params["v"] = 0 * params["v"]  # every weight 1/5, so f_j = 4/5
    surprise = 0.04 / (2 * math.exp(2)) + math.log(2 * math.pi) / 2 + 1
    assert loss_of(system, params) == pytest.approx(4 * (0.5 * surprise + 0.25 * 0.04), rel=1e-14)


def test_global_fertility_is_normal():
    system = of_term("global_fertility")
    params = random_params(system, 53)
    result = run_all(system, params)
    p, total = part(params, "global_fertility"), 0.0
    for h_j, f_j in zip(result.annotations[:-1], result.weights.sum(0)[:-1], strict=True):
        hid = np.tanh(p["W_h"] @ h_j + p["b_h"])
        mu, var = p["w_mu"] @ hid + p["b_mu"].item(), math.exp(p["w_v"] @ hid + p["b_v"].item())
        total -= math.log(NormalDist(mu, math.sqrt(var)).pdf(f_j))
    assert result.losses["global_fertility"] == pytest.approx(total, rel=1e-12)
