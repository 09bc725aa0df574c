"""Implicit distortion and fertility (Feng et al. 2016), their reference implementations: torch's cell, by hand."""

import numpy as np
import pytest
import torch

from tests.helpers.naive.one_term import PREVIOUS, SOURCE, T, of_term, random_run, run_all, without_terms
from tests.helpers.torch_cells import load
from tests.naive import part
from tests.naive.gru import sigmoid
from tests.naive.shapes import H, random_params
from tests.naive.system import run


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_distortion_follows_the_contexts(cell):
    """g_i = GRU(c_{i-1}, g_{i-1}) from c_0 = g_0 = 0, or c_{i-1} itself."""
    name = "implicit_distortion"
    params, result = random_run(of_term(name, cell), 57)
    theirs = torch.nn.GRUCell(2 * H, H, dtype=torch.float64)
    load(theirs, **part(params, f"{name}.gru"))
    g, c = torch.zeros(H, dtype=torch.float64), np.zeros(2 * H)
    for i in range(T):
        g = theirs(torch.from_numpy(c), g)
        np.testing.assert_allclose(result.histories[name][i + 1], [g.detach().numpy()], atol=1e-14)
        c = result.contexts[i]
    plain = of_term(name, cell, recatt="context")
    result = run_all(plain, random_params(plain, 57))
    expected = np.vstack([np.zeros((2, 2 * H)), result.contexts[:-1]])
    np.testing.assert_array_equal(result.histories[name][:, 0], expected)


def test_distortion_changes_energies_as_a_query_does():
    """V_g c_{i-1} is added beside W_a q_i: at the second step it is the baseline's with b_a = V_g c_1."""
    system = of_term("implicit_distortion", recatt="context")
    params = random_params(system, 58)
    result = run_all(system, params)
    first = run(*without_terms(system, params), SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.queries[1], first.queries[1], atol=1e-14)
    inside = params["W_a"] @ result.queries[1] + params["b_a"] + params["implicit_distortion.V_g"] @ result.contexts[0]
    e = np.tanh(inside + result.annotations @ params["U_a"].T) @ params["v"]
    np.testing.assert_allclose(result.weights[1], np.exp(e) / np.exp(e).sum(), atol=1e-14)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_fertility_runs_out(cell):
    """d_0 = tanh(W_d mean h + b_d); d_i / d_{i-1} is the extract gate, so |d_i| never grows."""
    name = "implicit_fertility"
    params, result = random_run(of_term(name, cell), 59)
    p, d = part(params, name), result.histories[name][:, 0]
    np.testing.assert_allclose(d[0], np.tanh(p["W_d"] @ result.annotations.mean(0) + p["b_d"]), atol=1e-14)
    assert (np.abs(d[1:]) <= np.abs(d[:-1])).all()
    y = params["E_y"][PREVIOUS]
    gate = sigmoid(y @ p["W_x"].T + result.queries @ p["U_x"].T + result.contexts @ p["C_x"].T + p["b_x"])
    np.testing.assert_allclose(d[1:] / d[:-1], gate, rtol=1e-12)


@pytest.mark.parametrize(("cell", "unit", "takes"), [("d1", "gru", 60.0), ("d2", "gru_2", -60.0)])
def test_fertility_stands_inside_the_candidate_state(cell, unit, takes):
    """A cell that takes only its candidate state, of which nothing else is left: s_i = tanh(V_d d_i)."""
    system = of_term("implicit_fertility", cell)
    params = random_params(system, 60)
    params |= {key: 0 * array for key, array in params.items() if key.startswith(f"{unit}.")}
    params[f"{unit}.b"][H : 2 * H] = takes
    result = run_all(system, params)
    d = result.histories["implicit_fertility"][1:, 0]
    np.testing.assert_allclose(result.states[1:], np.tanh(d @ params["implicit_fertility.V_d"].T), atol=1e-14)


def test_what_is_left_of_fertility_is_lost():
    system = of_term("implicit_fertility", fertdec_eta=0.5)
    result = run_all(system, random_params(system, 61))
    left = np.linalg.norm(result.histories["implicit_fertility"][T, 0])
    assert result.losses["implicit_fertility"] == pytest.approx(0.5 * left, abs=1e-9)
