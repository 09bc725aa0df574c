"""The agreement of both directions, its reference implementation: made of two systems, the bonus by hand."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import SOURCE, TARGET
from tests.naive import Params, part
from tests.naive.agreement import agreement, bonus
from tests.naive.gradient import directional
from tests.naive.interface import System
from tests.naive.shapes import V_X, V_Y, E, R, below, cell_shapes
from tests.naive.system import log_likelihood, run

COHN = System("d2", ("position_bias", "markov_bias", "local_fertility_bias"))


def both_directions(seed: int, scale: float = 1.0) -> Params:
    """x -> y, and below `reverse.` y -> x, whose embeddings and output have the other vocabulary."""
    back = cell_shapes(COHN) | {"E_x": (V_Y, E), "E_y": (V_X, E), "W_o": (V_X, R), "b_o": (V_X,)}
    rng = np.random.default_rng(seed)
    return {key: rng.normal(0, scale, shape) for key, shape in (cell_shapes(COHN) | below("reverse", back)).items()}


def test_agreement_is_made_of_the_two_systems():
    params = both_directions(27)
    result = agreement(COHN, params, SOURCE, TARGET, gamma=0.3)
    there = run(COHN, params, SOURCE, [2, 5, 3, 4])
    back = run(COHN, part(params, "reverse"), TARGET, [2, 4, 3, 5, 6, 3])
    assert result.forward == pytest.approx(-log_likelihood(there.logits, TARGET), abs=1e-12)
    assert result.reverse == pytest.approx(-log_likelihood(back.logits, SOURCE), abs=1e-12)
    assert result.bonus == pytest.approx(np.trace(there.weights @ back.weights), abs=1e-14)
    assert result.loss == pytest.approx(result.forward + result.reverse - 0.3 * result.bonus, abs=1e-12)
    turned = part(params, "reverse") | {f"reverse.{key}": params[key] for key in cell_shapes(COHN)}
    other = agreement(COHN, turned, TARGET, SOURCE, gamma=0.3)
    assert (other.forward, other.reverse) == pytest.approx((result.reverse, result.forward), abs=1e-12)
    assert (other.bonus, other.loss) == pytest.approx((result.bonus, result.loss), abs=1e-12)


def test_agreement_of_parameters_at_zero():
    """Every word and every position is as likely as the next: B = T S / (S T). gamma is 1 unless told."""
    S, T = len(SOURCE), len(TARGET)
    result = agreement(COHN, both_directions(28, scale=0.0), SOURCE, TARGET)
    assert result == pytest.approx(
        (T * math.log(V_Y), S * math.log(V_X), 1.0, T * math.log(V_Y) + S * math.log(V_X) - 1)
    )


def test_agreement_by_the_complex_step():
    params, direction = both_directions(29, scale=0.7), both_directions(30)
    t = 1e-5

    def f(p: Params) -> complex | float:
        return agreement(COHN, p, SOURCE, TARGET).loss

    up, down = (f({key: params[key] + sign * t * direction[key] for key in params}) for sign in (1, -1))
    assert directional(f, params, direction) == pytest.approx((up - down) / (2 * t), rel=1e-6)


def test_bonus_by_hand():
    """T = 2, S = 3: 0.5 * 0.25 + 0.3 * 1 + 0.2 * 0.5 + 0.1 * 0.75 + 0.6 * 0 + 0.3 * 0.5."""
    there = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
    back = np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]])
    assert bonus(there, back) == pytest.approx(0.125 + 0.3 + 0.1 + 0.075 + 0.15, abs=1e-15)


@pytest.mark.parametrize("order", [[0], [0, 1, 2], [2, 0, 3, 1]])
def test_bonus_of_one_alignment_is_its_length(order):
    one_to_one = np.eye(len(order))[order]
    assert bonus(one_to_one, one_to_one.T) == len(order)
    assert bonus(one_to_one, np.roll(one_to_one.T, 1, axis=1)) == (len(order) if len(order) == 1 else 0)


@pytest.mark.parametrize(("S", "T"), [(1, 1), (1, 4), (5, 2), (3, 3)])
def test_bonus_is_at_most_the_shorter_length(S, T):
    rng = np.random.default_rng(31)
    for concentration in (0.05, 1.0):
        there, back = rng.dirichlet(np.full(S, concentration), T), rng.dirichlet(np.full(T, concentration), S)
        assert 0 <= bonus(there, back) <= min(S, T) + 1e-12


def test_refused_agreements():
    with pytest.raises(ValueError, match="the reversed direction needs"):
        bonus(np.ones((2, 3)), np.ones((2, 3)))
    encdec = System("encdec")
    params = {key: np.ones(shape) for key, shape in cell_shapes(encdec).items()}
    with pytest.raises(ValueError, match="no attention to agree on"):
        agreement(encdec, params | {f"reverse.{key}": array for key, array in params.items()}, TARGET, TARGET)
