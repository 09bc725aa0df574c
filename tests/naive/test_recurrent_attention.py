"""Recurrent attention (Yang et al. 2016), its reference implementation: where its memory enters."""

import numpy as np

from tests.helpers.naive.one_term import handing_through, of_term, run_all
from tests.naive.shapes import D, H, random_params


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
