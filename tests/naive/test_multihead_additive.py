"""Several heads of additive attention, their reference implementation: by hand, and equal heads."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import PREVIOUS, SOURCE, system_of
from tests.naive import Params
from tests.naive.interface import System
from tests.naive.multihead_additive import MultiheadAdditive
from tests.naive.shapes import A, H, random_params
from tests.naive.system import run

NAME, C = "multihead_additive", 2 * H


def of_heads(K: int, D: int, seed: int) -> Params:
    """Random parameters of K heads, D wide each."""
    rng = np.random.default_rng(seed)
    own = {"W_a": (K * D, H), "U_a": (K * D, C), "b_a": (K * D,), "v": (K * D,), "W_V": (C, C)}
    return random_params(System(NAME), seed) | {name: rng.normal(0, 0.7, shape) for name, shape in own.items()}


def test_two_heads_by_hand():
    """tanh of h_j is (1/2, 1/4), seen by the first head forwards, by the second with v = -1: odds 3 : 1 and 1 : 3.

    Values: the first head's is h_j's first number, the second's the sum of both.
    """
    h = [np.array([math.atanh(0.5), 2.0]), np.array([math.atanh(0.25), 6.0])]
    odds = 4 * math.log(3)
    params = {"W_a": np.array([[0.0], [1.0]]), "b_a": np.array([0.0, -0.7]), "v": np.array([odds, -odds])}
    params |= {"U_a": np.array([[1.0, 0.0], [1.0, 0.0]]), "W_V": np.array([[1.0, 0.0], [1.0, 1.0]])}
    alpha, c = MultiheadAdditive(params, attention_heads=2).attend(np.array([0.7]), h, ())
    first, second = h[0][0], h[1][0]
    np.testing.assert_allclose(alpha, [0.5, 0.5], atol=1e-15)
    expected = [0.75 * first + 0.25 * second, 0.25 * (first + 2) + 0.75 * (second + 6)]
    np.testing.assert_allclose(c, expected, atol=1e-14)


def test_equal_heads_are_one_head():
    """The rows of a single head twice over: the same weights, and W_V on their mean of the annotations."""
    one = of_heads(1, A, 92)
    twice = one | {name: np.concatenate([one[name]] * 2) for name in ("W_a", "U_a", "b_a", "v")}
    of_one = run(system_of(NAME, attention_heads=1), one, SOURCE, PREVIOUS)
    of_two = run(system_of(NAME, attention_heads=2), twice, SOURCE, PREVIOUS)
    np.testing.assert_allclose(of_two.weights, of_one.weights, atol=1e-14)
    np.testing.assert_allclose(of_two.logits, of_one.logits, atol=1e-13)


def test_contexts_are_as_wide_as_annotations_and_four_heads_are_the_default():
    params = of_heads(4, 3, 93)
    default = run(System(NAME), params, SOURCE, PREVIOUS)
    assert default.contexts.shape == (len(PREVIOUS), C)
    four, two = (run(system_of(NAME, attention_heads=K), params, SOURCE, PREVIOUS).logits for K in (4, 2))
    np.testing.assert_array_equal(default.logits, four)
    assert np.abs(two - four).max() > 1e-3


def test_heads_that_do_not_divide_the_context_are_refused():
    with pytest.raises(ValueError, match="equal division"):
        run(system_of(NAME, attention_heads=3), of_heads(3, 2, 94), SOURCE, PREVIOUS)
