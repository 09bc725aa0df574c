"""Recurrent attention (Yang et al. 2016), its reference implementation: by hand, torch's cell."""

import numpy as np
import pytest
import torch

from tests.helpers.naive.one_term import S, T, handing_through, of_term, run_all
from tests.helpers.torch_cells import load
from tests.naive.interface import Sentence
from tests.naive.recurrent_attention import RecurrentAttention
from tests.naive.shapes import A, D, E, H, random_params


@pytest.mark.parametrize("k", [0, 1, 2])
def test_recurrent_attention_is_local(k):
    """One weight changes the state of the words at most k away, and of all of them."""
    shapes_of = {"V_d": (A, D), "W": (4 * D, 2 * k + 1), "U": (4 * D, D), "b": 4 * D}
    rng = np.random.default_rng(54)
    p = {name: rng.normal(size=shape) for name, shape in shapes_of.items()}
    nothing, states = np.zeros(1), []
    for bump in (0.0, 0.1):
        term = RecurrentAttention(p, recurrent_attention_window=k)
        term.start(Sentence([3] * 7, np.zeros((7, E)), [nothing] * 7))
        alpha = np.full(7, 0.1)
        alpha[3] += bump
        term.update(alpha, nothing, nothing, nothing, nothing)
        states.append(np.array([term.energy(j) for j in range(7)]))
    changed = np.abs(states[1] - states[0]).max(1) > 1e-6
    np.testing.assert_array_equal(changed, [abs(j - 3) <= k for j in range(7)])


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_recurrent_attention_is_torchs_cell_over_windows(cell):
    name = "recurrent_attention"
    system = of_term(name, cell, recurrent_attention_window=1)
    params = random_params(system, 55)
    result = run_all(system, params)
    theirs = torch.nn.LSTMCell(3, D, dtype=torch.float64)
    load(theirs, *(params[f"{name}.{symbol}"] for symbol in "WUb"))
    d = m = torch.zeros(S, D, dtype=torch.float64)
    for i in range(T):
        padded = np.pad(result.weights[i], 1)
        d, m = theirs(torch.from_numpy(np.stack([padded[:-2], padded[1:-1], padded[2:]], 1)), (d, m))
        np.testing.assert_allclose(result.histories[name][i + 1], d.detach().numpy(), atol=1e-14)


def test_memory_in_context_enters_the_recurrence_and_the_readout():
    """With GRU_2 giving back tiny * extra, and a linear readout that sees only its L: both are sum_j alpha_ij d_j."""
    name, tiny = "recurrent_attention", 1e-9
    system = of_term(name, memory_in_context=True)._replace(readout="linear")
    gain = np.hstack([np.zeros((H, 2 * H)), tiny * np.eye(H, D)])
    params = handing_through(random_params(system, 56), gain)
    params |= {key: 0 * params[key] for key in ("L_s", "L_y", "L_c", "b_t", "b_o")}
    result = run_all(system, params)
    memory = np.einsum("ij,ijd->id", result.weights, result.histories[name][:-1])
    np.testing.assert_allclose(result.states[1:, :D] / tiny, memory, atol=1e-12)
    np.testing.assert_allclose(result.logits, memory @ params[f"{name}.L"].T @ params["W_o"].T, atol=1e-13)
    assert np.abs(memory[1:]).min() > 1e-6 and not memory[0].any()
