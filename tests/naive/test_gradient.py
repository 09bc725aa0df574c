"""Gradients of the reference implementations by the complex step."""

from functools import partial

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import SYSTEMS as MECHANISMS
from tests.helpers.naive.one_system import PREVIOUS, SOURCE, SYSTEMS, TARGET
from tests.naive import Params
from tests.naive.gradient import directional, gradient
from tests.naive.interface import System
from tests.naive.shapes import random_params
from tests.naive.system import log_likelihood, run


def objective(system: System, params: Params) -> complex | float:
    return log_likelihood(run(system, params, SOURCE, PREVIOUS).logits, TARGET)


@pytest.mark.slow
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_complex_step_agrees_with_finite_differences(name):
    system = SYSTEMS[name]
    params, direction = random_params(system, 17), random_params(system, 18)
    f = partial(objective, system)
    t = 1e-5
    up, down = (f({key: params[key] + sign * t * direction[key] for key in params}) for sign in (1, -1))
    slope = directional(f, params, direction)
    assert slope == pytest.approx((up - down) / (2 * t), rel=1e-6)
    one_by_one = sum(directional(f, params, {key: direction[key]}) for key in params)
    assert slope == pytest.approx(one_by_one, rel=1e-11)


@pytest.mark.parametrize("name", [*SYSTEMS, *(pytest.param(name, marks=pytest.mark.slow) for name in MECHANISMS)])
def test_every_parameter_takes_part(name):
    system = (SYSTEMS | MECHANISMS)[name]
    params, direction = random_params(system, 19), random_params(system, 20)
    f = partial(objective, system)
    assert [key for key in params if abs(directional(f, params, {key: direction[key]})) < 1e-9] == []


def test_gradient_of_a_known_function():
    params = {"a": np.array([[1.0, 2.0], [3.0, -4.0]]), "b": np.array([5.0])}

    def f(p: Params) -> complex:
        return p["b"][0] * (p["a"] ** 2).sum()

    np.testing.assert_allclose(gradient(f, params, "a"), 10 * params["a"], rtol=1e-14)
    assert gradient(f, params, "b") == pytest.approx(30.0)


@pytest.mark.parametrize("direction", [{"c": np.zeros(1)}, {"b": np.zeros(2)}])
def test_refused_directions(direction):
    with pytest.raises(ValueError, match="no parameter"):
        directional(lambda p: p["b"][0], {"b": np.zeros(1)}, direction)
