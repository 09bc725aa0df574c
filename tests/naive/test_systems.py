"""The reference implementations of the decoders: what their equations imply."""

import numpy as np
import pytest

from tests.helpers.naive.one_system import HISTORIES, PREVIOUS, SOURCE, SYSTEMS
from tests.naive.interface import System
from tests.naive.shapes import H, random_params
from tests.naive.system import run


@pytest.mark.parametrize(
    ("name", "cell", "reads_the_new_state"),
    [
        ("rnnsearch", "gru.W", False),
        ("rnnsearch_star", "gru_2.W", True),
        ("rnnencdec prev", "gru.W", False),
        ("rnnencdec cur", "gru.W", True),
    ],
)
def test_which_state_the_readout_reads(name, cell, reads_the_new_state):
    """The first step's logits depend on the decoder's cell only where the readout reads s_i instead of s_{i-1}."""
    params = random_params(SYSTEMS[name], 14)
    logits = run(SYSTEMS[name], params, SOURCE, PREVIOUS).logits
    other = run(SYSTEMS[name], params | {cell: 2 * params[cell]}, SOURCE, PREVIOUS).logits
    assert (np.abs(other[0] - logits[0]).max() > 1e-6) == reads_the_new_state
    assert np.abs(other[1] - logits[1]).max() > 1e-6


@pytest.mark.parametrize(
    ("name", "cell", "keep", "follows"),
    [
        ("rnnsearch", "gru", -60, "state from state"),
        ("rnnsearch_star", "gru_1", 60, "query from state"),
        ("rnnsearch_star", "gru_2", 60, "state from query"),
        ("rnnencdec prev", "gru", -60, "state from state"),
    ],
)
def test_what_each_cell_continues_from(name, cell, keep, follows):
    """A cell whose update gate only keeps gives back the state it started from."""
    params = random_params(SYSTEMS[name], 22)
    params[f"{cell}.b"][H : 2 * H] = keep
    result = run(SYSTEMS[name], params, SOURCE, PREVIOUS)
    of = {"state": result.states[1:], "query": result.queries}
    started_from = {"state": result.states[:-1], "query": result.queries}
    what, origin = follows.split(" from ")
    np.testing.assert_allclose(of[what], started_from[origin], atol=1e-15)


def test_rnnsearch_starts_from_the_backward_state_of_the_first_word():
    system = SYSTEMS["rnnsearch"]
    params = random_params(system, 23)
    result = run(system, params, SOURCE, PREVIOUS)
    expected = np.tanh(params["W_s"] @ result.annotations[0, H:] + params["b_s"])
    np.testing.assert_allclose(result.states[0], expected, atol=1e-15)


@pytest.mark.parametrize(("name", "sees"), [("rnnsearch", False), ("rnnsearch_star", True)])
def test_whether_the_query_has_seen_the_previous_word(name, sees):
    params = random_params(SYSTEMS[name], 15)
    weights = [run(SYSTEMS[name], params, SOURCE, [previous]).weights for previous in (2, 3)]
    assert (np.abs(weights[0] - weights[1]).max() > 1e-6) == sees


def test_rnnencdec_knows_the_source_only_by_its_last_state():
    system = SYSTEMS["rnnencdec prev"]
    params = random_params(system, 16)
    result = run(system, params, SOURCE, PREVIOUS)
    assert result.weights is None
    c = np.tanh(params["V"] @ result.annotations[-1] + params["b_V"])
    np.testing.assert_array_equal(result.contexts, np.tile(c, (len(PREVIOUS), 1)))
    np.testing.assert_allclose(result.states[0], np.tanh(params["V_prime"] @ c + params["b_V_prime"]), atol=1e-15)
    assert np.abs(run(system, params, [3, *SOURCE[1:]], PREVIOUS).logits - result.logits).max() > 1e-9


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (System("d2", options={"target_history": {"target_history_state": "cur"}}), "does not have: .'target_history'"),
        (System("d2", HISTORIES[1:], options={"target_history": {"target_history_state": "next"}}), "not in tuple"),
        (System("encdec", HISTORIES), "no attention"),
    ],
)
def test_refused_systems(system, message):
    with pytest.raises(ValueError, match=message):
        run(system, random_params(system, 21), SOURCE, PREVIOUS)
