"""Source and target history, their reference implementations: silent, handed out, permuted."""

import numpy as np
import pytest

from tests.helpers.naive.one_system import PREVIOUS, SOURCE, SYSTEMS, WITH_TERMS
from tests.naive import Params
from tests.naive.interface import System
from tests.naive.shapes import A, D, random_params
from tests.naive.system import run


@pytest.mark.parametrize("name", WITH_TERMS)
def test_histories_begin_at_zero_so_the_first_step_is_the_baselines(name):
    system = SYSTEMS[name]
    params = random_params(system, 9)
    with_terms = run(system, params, SOURCE, PREVIOUS)
    baseline = run(system._replace(terms=(), options={}), params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(with_terms.logits[0], baseline.logits[0], atol=1e-14)
    np.testing.assert_allclose(with_terms.weights[0], baseline.weights[0], atol=1e-14)
    for i in range(1, len(PREVIOUS)):
        assert np.abs(with_terms.weights[i] - baseline.weights[i]).max() > 1e-4
        assert np.abs(with_terms.logits[i] - baseline.logits[i]).max() > 1e-4


@pytest.mark.parametrize("name", WITH_TERMS)
@pytest.mark.parametrize("knob", ["projections at zero", "update gate keeps"])
def test_silenced_histories_leave_the_baseline(name, knob):
    system = SYSTEMS[name]
    params = random_params(system, 10)
    for term in system.terms:
        if knob == "projections at zero":
            params |= {key: 0 * params[key] for key in params if key.startswith((f"{term}.V_", f"{term}.L"))}
        else:
            params[f"{term}.gru.b"][D : 2 * D] = 60
    result = run(system, params, SOURCE, PREVIOUS)
    baseline = run(system._replace(terms=(), options={}), params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.logits, baseline.logits, atol=1e-12)
    moved = max(np.abs(history).max() for history in result.histories.values())
    assert (moved > 0.01) == (knob == "projections at zero")


def test_ba_without_target_history_is_sa():
    params = random_params(SYSTEMS["ba"], 11)
    params |= {name: 0 * params[name] for name in ("target_history.V_s", "target_history.L")}
    both, source_only = (run(SYSTEMS[name], params, SOURCE, PREVIOUS).logits for name in ("ba", "sa"))
    np.testing.assert_allclose(both, source_only, atol=1e-14)


def handing_through(system: System, seed: int, tiny: float) -> Params:
    """Parameters whose history GRUs give back tiny * I_ij and keep nothing: z = 0, tanh(tiny * I) = tiny * I."""
    params = random_params(system, seed)
    for name in system.terms:
        width = params[f"{name}.gru.W"].shape[1]
        params[f"{name}.gru.W"] = np.vstack([np.zeros((2 * width, width)), tiny * np.eye(width)])
        params[f"{name}.gru.U"] = np.zeros((3 * width, width))
        params[f"{name}.gru.b"] = np.repeat([0.0, -60.0, 0.0], width)
        projection = {"source_history": "V_h", "target_history": "V_s"}[name]
        params[f"{name}.{projection}"] = np.ones((A, width))
        params[f"{name}.L"] = np.ones((len(params["b_t"]), width))
    return params


@pytest.mark.parametrize("name", WITH_TERMS)
def test_what_is_handed_out_at_a_step_sums_to_the_context_and_to_the_state(name):
    """sum_j I^S_ij = c_i and sum_j I^T_ij = s_{i-1} (or the query, or s_i), because the weights sum to 1."""
    system, tiny = SYSTEMS[name], 1e-9
    result = run(system, handing_through(system, 12, tiny), SOURCE, PREVIOUS)
    state = system.options.get("target_history", {}).get("target_history_state", "prev")
    expected = {
        "source_history": result.contexts,
        "target_history": {"prev": result.states[:-1], "query": result.queries, "cur": result.states[1:]}[state],
    }
    for term in system.terms:
        handed_out = result.histories[term][1:] / tiny
        np.testing.assert_allclose(handed_out.sum(1), expected[term], atol=1e-12)
