"""The GRU and the encoders of the reference implementations: torch's, and by hand."""

import math

import numpy as np
import pytest
import torch

from tests.helpers.torch_cells import load
from tests.naive import Params
from tests.naive.encoder import bidirectional, forward
from tests.naive.gru import gru, gru_reset_before
from tests.naive.shapes import E, H


def random_gru(width: int, size: int, seed: int) -> Params:
    rng = np.random.default_rng(seed)
    shapes_of = {"W": (3 * size, width), "U": (3 * size, size), "b": (3 * size,), "b_U": (3 * size,)}
    return {name: rng.normal(size=shape) for name, shape in shapes_of.items()}


def test_gru_is_the_reset_after_cell_of_torch():
    p, rng = random_gru(3, 4, 1), np.random.default_rng(2)
    u, h = rng.normal(size=3), rng.normal(size=4)
    cell = torch.nn.GRUCell(3, 4, dtype=torch.float64)
    load(cell, **p)
    expected = cell(torch.from_numpy(u), torch.from_numpy(h)).detach().numpy()
    np.testing.assert_allclose(gru(u, h, p), expected, rtol=0, atol=1e-14)


def test_gru_without_second_bias_has_it_zero():
    p, rng = random_gru(3, 4, 1), np.random.default_rng(2)
    u, h = rng.normal(size=3), rng.normal(size=4)
    without = {name: array for name, array in p.items() if name != "b_U"}
    np.testing.assert_array_equal(gru(u, h, without), gru(u, h, p | {"b_U": np.zeros(12)}))


@pytest.mark.parametrize(
    ("gates", "U_n", "after", "before"),
    [
        # size 1, u = y = 1, h = s = 0.5, W_n = 1, c = 0; gates = (r, z)
        ((0.5, 0.5), 0.0, 0.25 + 0.5 * math.tanh(1), 0.25 + 0.5 * math.tanh(1)),
        ((0.5, 0.25), 0.0, 0.125 + 0.75 * math.tanh(1), 0.375 + 0.25 * math.tanh(1)),
        ((0.25, 0.5), 2.0, 0.25 + 0.5 * math.tanh(1.25), 0.25 + 0.5 * math.tanh(1.25)),
    ],
)
def test_gru_by_hand(gates, U_n, after, before):
    b = np.array([*(math.log(gate / (1 - gate)) for gate in gates), 0.0])
    p = {"W": np.array([[0.0], [0.0], [1.0]]), "U": np.array([[0.0], [0.0], [U_n]]), "b": b, "C": np.zeros((3, 1))}
    one, half, zero = np.array([1.0]), np.array([0.5]), np.array([0.0])
    assert gru(one, half, p) == pytest.approx(after, abs=1e-15)
    assert gru_reset_before(one, half, zero, p) == pytest.approx(before, abs=1e-15)


def test_reset_before_scales_the_state_and_reset_after_the_product():
    """r = (1/2, 1/4) and z takes the candidate state: in it U (r * s) = 2 * 1/4, but r * (U s) = 1/2 * 2."""
    U = np.zeros((6, 2))
    U[4] = [0.0, 2.0]
    b_r = [0.0, -math.log(3)]
    s, nothing = np.array([7.0, 1.0]), np.zeros(1)
    p = {"W": np.zeros((6, 1)), "C": np.zeros((6, 1)), "U": U}
    after = gru(nothing, s, p | {"b": np.array([*b_r, -40, -40, 0, 0])})
    before = gru_reset_before(nothing, s, nothing, p | {"b": np.array([*b_r, 40, 40, 0, 0])})
    np.testing.assert_allclose(after, [math.tanh(1.0), 0], atol=1e-15)
    np.testing.assert_allclose(before, [math.tanh(0.5), 0], atol=1e-15)


def test_context_enters_all_three_gates_of_the_reset_before_cell():
    """With U = 0 the two cells are one on the input [y ; c], z relabelled."""
    rng = np.random.default_rng(3)
    W, C, b = rng.normal(size=(6, 3)), rng.normal(size=(6, 5)), rng.normal(size=6)
    y, s, c = rng.normal(size=3), rng.normal(size=2), rng.normal(size=5)
    U, sign = np.zeros((6, 2)), np.array([1, 1, -1, -1, 1, 1])
    joined = {"W": sign[:, None] * np.hstack([W, C]), "U": U, "b": sign * b}
    expected = gru(np.concatenate([y, c]), s, joined)
    np.testing.assert_allclose(gru_reset_before(y, s, c, {"W": W, "U": U, "C": C, "b": b}), expected, atol=1e-15)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_encoders_are_torchs(length):
    x = np.random.default_rng(4).normal(size=(length, E))
    f, b = random_gru(E, H, 5), random_gru(E, H, 6)
    both = torch.nn.GRU(E, H, bidirectional=True, dtype=torch.float64)
    load(both, **f, suffix="_l0")
    load(both, **b, suffix="_l0_reverse")
    expected = both(torch.from_numpy(x))[0].detach().numpy()
    params = {f"{cell}.{name}": array for cell, p in {"enc_f": f, "enc_b": b}.items() for name, array in p.items()}
    np.testing.assert_allclose(np.array(bidirectional(x, params)), expected, atol=1e-14)
    np.testing.assert_allclose(np.array(forward(x, f)), expected[:, :H], atol=1e-14)
