"""What holds for the reference implementation of every mechanism."""

import math
from functools import partial

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import LUONG, PREVIOUS, SOURCE, SYSTEMS, TARGET, system_of
from tests.naive import Params
from tests.naive.gradient import directional
from tests.naive.interface import System
from tests.naive.shapes import A, H, R, random_params
from tests.naive.system import log_likelihood, run


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(("source", "previous"), [(SOURCE, PREVIOUS), ([2], [2]), ([3, 2], [2, 5])])
def test_weights_are_a_distribution(name, source, previous):
    """Luong's Gaussian takes some of the weight away, unless it is given back."""
    result = run(SYSTEMS[name], random_params(SYSTEMS[name], 1), source, previous)
    assert result.weights.shape == (len(previous), len(source))
    assert (result.weights >= 0).all()
    assert np.isfinite(result.logits).all()
    total = result.weights.sum(1)
    if SYSTEMS[name].cell == "luong_local_p" and "renorm" not in name:
        assert (total > 0).all() and (total <= 1).all()
        assert (total < 1).all() == (np.count_nonzero(result.weights[0]) > 1)
    else:
        np.testing.assert_allclose(total, 1, atol=1e-15)


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name.startswith("luong")])
def test_contexts_of_luong_are_the_weights_on_the_annotations(name):
    result = run(SYSTEMS[name], random_params(SYSTEMS[name], 2), SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.contexts, result.weights @ result.annotations, atol=1e-14)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("interactive", {"ia_separate_write": True}),
        ("gatt", {"gatt_state": "query"}),
        ("gatt", {"gru_reset_before": True}),
        ("gatt_inv", {"gatt_state": "query"}),
        ("gatt_inv", {"gru_reset_before": True}),
        ("multihead_additive", {"attention_heads": 2}),
        ("luong_local_m", {"local_window": 1}),
        ("luong_local_p", {"local_window": 2}),
        ("luong_local_p", {"local_renorm": True}),
        *((name, {"attend_eos": False}) for name in LUONG),
    ],
)
def test_every_option_changes_something(name, options):
    other = system_of(name, **options)
    params = random_params(other, 4)
    logits = [run(system, params, SOURCE, PREVIOUS).logits for system in (System(name), other)]
    assert np.abs(logits[0] - logits[1]).max() > 1e-5


def objective(system: System, params: Params) -> complex | float:
    return log_likelihood(run(system, params, SOURCE, PREVIOUS).logits, TARGET)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_complex_step_agrees_with_finite_differences(name):
    params, direction = random_params(SYSTEMS[name], 5), random_params(SYSTEMS[name], 6)
    f = partial(objective, SYSTEMS[name])
    t = 1e-5
    up, down = (f({key: params[key] + sign * t * direction[key] for key in params}) for sign in (1, -1))
    assert directional(f, params, direction) == pytest.approx((up - down) / (2 * t), rel=1e-6)


@pytest.mark.parametrize("name", ["interactive", "gatt", "gatt_inv", "dhea", "multihead_additive", *LUONG])
def test_mechanisms_take_no_terms(name):
    params = random_params(System(name), 9)
    params |= {f"source_history.{key}": np.zeros(shape) for key, shape in {"V_h": (A, 2), "L": (R, 2)}.items()}
    with pytest.raises(ValueError, match="no terms"):
        run(System(name, ("source_history",)), params, SOURCE, PREVIOUS)


def assert_baseline(name: str, params: Params, steps: int, **tolerance: float) -> None:
    """The first steps are RNNsearch*'s of the same parameters, its matrices cut to the first columns."""
    mechanism = run(System(name), params, SOURCE, PREVIOUS)
    narrow = {"gru_2.W": params["gru_2.W"][:, : 2 * H], "L_c": params["L_c"][:, : 2 * H]}
    baseline = run(System("d2"), params | narrow, SOURCE, PREVIOUS)
    np.testing.assert_allclose(mechanism.weights[:steps], baseline.weights[:steps], **tolerance)
    np.testing.assert_allclose(mechanism.logits[:steps], baseline.logits[:steps], **tolerance)
    if steps < len(PREVIOUS):
        assert np.abs(mechanism.logits[steps] - baseline.logits[steps]).max() > 1e-4


@pytest.mark.parametrize("name", ["interactive", "dhea"])
def test_the_first_step_is_the_baselines(name):
    assert_baseline(name, random_params(System(name), 10), steps=1, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("interactive", {"W_F": 0.0, "b_F": -math.inf, "W_U": 0.0, "b_U": -math.inf}),
        ("gatt", {"gru.b": [0.0] * 2 * H + [math.inf] * 2 * H + [0.0] * 2 * H}),
        ("dhea", {"b_g": -math.inf}),
        ("dhea", {"P": 0.0}),
    ],
)
def test_silenced_mechanisms_are_the_baseline(name, silent):
    params = random_params(System(name), 11)
    params |= {key: np.broadcast_to(value, params[key].shape).astype(float) for key, value in silent.items()}
    assert_baseline(name, params, steps=len(PREVIOUS), rtol=0, atol=1e-14)
