"""What holds for the reference implementation of every mechanism."""

from functools import partial

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import LUONG, PREVIOUS, SOURCE, SYSTEMS, TARGET, system_of
from tests.naive import Params
from tests.naive.gradient import directional
from tests.naive.interface import System
from tests.naive.shapes import A, R, random_params
from tests.naive.system import log_likelihood, run


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
