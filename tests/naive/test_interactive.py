"""Interactive attention, its reference implementation: by hand."""

import math

import numpy as np

from tests.naive.interactive import InteractiveAttention


def interactive(memory: list[list[float]], params: dict[str, list], separate: bool = False) -> InteractiveAttention:
    """One unit in the decoder, and annotations that it has not written to yet."""
    zero = {"W_init": np.zeros((1, len(memory[0]))), "b_init": np.zeros(1)}
    cell = InteractiveAttention(zero | {name: np.array(value) for name, value in params.items()}, separate)
    cell.start([np.array(row) for row in memory])
    return cell


def write(cell: InteractiveAttention, alpha: np.ndarray, s: float) -> None:
    unused = np.full(1, np.nan)
    cell.update(alpha, unused, unused, unused, np.array([s]))


def test_interactive_by_hand():
    """F = sig(ln 3) = 0.75 and U = sig(-ln 3) = 0.25, both of s_i; the next step reads what was written."""
    written = {"W_F": [[2 * math.log(3)]], "b_F": [0.0], "W_U": [[0.0]], "b_U": [-math.log(3)]}
    read = {"W_a": [[0.0]], "U_a": [[1.0]], "b_a": [0.0], "v": [1.0]}
    cell = interactive([[0.5], [0.25]], written | read)
    write(cell, np.array([0.8, 0.2]), 0.5)
    memory = [0.5 * (1 - 0.6) + 0.2, 0.25 * (1 - 0.15) + 0.05]
    np.testing.assert_allclose(np.ravel(cell.memory), memory, atol=1e-15)
    alpha, c = cell.attend(np.ones(1), [np.full(1, np.nan)] * 2, ())
    odds = math.exp(math.tanh(memory[0]) - math.tanh(memory[1]))
    np.testing.assert_allclose(alpha, [odds / (1 + odds), 1 / (1 + odds)], atol=1e-15)
    np.testing.assert_allclose(c, alpha @ np.array(memory), atol=1e-15)


def test_separate_write_weights_by_hand():
    """tanh(U_aw h_j) = 0.5 and 0.25, W_aw s_i + b_aw = 0: w = (3/4, 1/4). F = 0 and U = 1/2: h + w / 2."""
    first, second = math.atanh(0.5), math.atanh(0.25)
    params = {"W_F": [[0.0]], "b_F": [-math.inf], "W_U": [[0.0]], "b_U": [0.0]}
    params |= {"W_aw": [[2.0]], "U_aw": [[1.0]], "b_aw": [-1.0], "v_w": [4 * math.log(3)]}
    cell = interactive([[first], [second]], params, separate=True)
    write(cell, np.full(2, np.nan), 0.5)
    np.testing.assert_allclose(np.ravel(cell.memory), [first + 0.375, second + 0.125], atol=1e-15)
