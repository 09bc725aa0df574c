"""The truths themselves: held to torch's cells, to numbers made by hand, to the properties their papers promise."""

import math
from functools import partial

import numpy as np
import pytest
import torch

from tests.naive import Params
from tests.naive.encoder import bidirectional, forward
from tests.naive.gradient import directional, gradient
from tests.naive.gru import gru, gru_reset_before
from tests.naive.interface import System
from tests.naive.readout import maxout
from tests.naive.shapes import A, D, E, H, random_params
from tests.naive.system import log_likelihood, run

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
HISTORIES = ("source_history", "target_history")
SYSTEMS = {
    "rnnsearch": System("d1", readout="maxout"),
    "rnnsearch_star": System("d2"),
    "rnnsearch_star linear": System("d2", readout="linear"),
    "sa": System("d2", HISTORIES[:1]),
    "ta prev": System("d2", HISTORIES[1:]),
    "ta query": System("d2", HISTORIES[1:], options={"target_history": {"target_history_state": "query"}}),
    "ta cur": System("d2", HISTORIES[1:], options={"target_history": {"target_history_state": "cur"}}),
    "ba": System("d2", HISTORIES),
    "ba on d1": System("d1", HISTORIES, "maxout"),
    "rnnencdec prev": System("encdec", readout="maxout"),
    "rnnencdec cur": System("encdec", readout="maxout", options={"encdec": {"rnnencdec_readout": "cur"}}),
}
ATTENDING = [name for name, system in SYSTEMS.items() if system.cell != "encdec"]
WITH_TERMS = [name for name, system in SYSTEMS.items() if system.terms]


def random_gru(width: int, size: int, seed: int) -> Params:
    rng = np.random.default_rng(seed)
    shapes_of = {"W": (3 * size, width), "U": (3 * size, size), "b": (3 * size,), "b_U": (3 * size,)}
    return {name: rng.normal(size=shape) for name, shape in shapes_of.items()}


def copy_to_torch(cell: torch.nn.Module, p: Params, suffix: str) -> None:
    for theirs, ours in (("weight_ih", "W"), ("weight_hh", "U"), ("bias_ih", "b"), ("bias_hh", "b_U")):
        getattr(cell, theirs + suffix).data = torch.from_numpy(p[ours])


def test_gru_is_the_reset_after_cell_of_torch():
    p, rng = random_gru(3, 4, 1), np.random.default_rng(2)
    u, h = rng.normal(size=3), rng.normal(size=4)
    cell = torch.nn.GRUCell(3, 4, dtype=torch.float64)
    copy_to_torch(cell, p, "")
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
    """r = (1/2, 1/4) and z takes the candidate: in it U (r * s) = 2 * 1/4, but r * (U s) = 1/2 * 2."""
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
    copy_to_torch(both, f, "_l0")
    copy_to_torch(both, b, "_l0_reverse")
    expected = both(torch.from_numpy(x))[0].detach().numpy()
    params = {f"{cell}.{name}": array for cell, p in {"enc_f": f, "enc_b": b}.items() for name, array in p.items()}
    np.testing.assert_allclose(np.array(bidirectional(x, params)), expected, atol=1e-14)
    np.testing.assert_allclose(np.array(forward(x, f)), expected[:, :H], atol=1e-14)


@pytest.mark.parametrize("name", ATTENDING)
@pytest.mark.parametrize(("source", "previous"), [(SOURCE, PREVIOUS), ([2], [2]), ([3, 2], [2])])
def test_weights_are_a_distribution_and_contexts_their_means(name, source, previous):
    result = run(SYSTEMS[name], random_params(SYSTEMS[name], 7), source, previous)
    assert result.weights.shape == (len(previous), len(source))
    assert (result.weights > 0).all()
    np.testing.assert_allclose(result.weights.sum(1), 1, atol=1e-15)
    np.testing.assert_allclose(result.contexts, result.weights @ result.annotations, atol=1e-14)
    assert np.isfinite(result.logits).all()


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_future_of_the_target_is_not_seen(name):
    params = random_params(SYSTEMS[name], 8)
    whole = run(SYSTEMS[name], params, SOURCE, PREVIOUS).logits
    np.testing.assert_array_equal(run(SYSTEMS[name], params, SOURCE, PREVIOUS[:2]).logits, whole[:2])


@pytest.mark.parametrize("name", WITH_TERMS)
def test_histories_begin_at_zero_so_the_first_step_is_the_baselines(name):
    system = SYSTEMS[name]
    params = random_params(system, 9)
    with_terms = run(system, params, SOURCE, PREVIOUS)
    baseline = run(system._replace(terms=(), options={}), params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(with_terms.logits[0], baseline.logits[0], atol=1e-14)
    np.testing.assert_allclose(with_terms.weights[0], baseline.weights[0], atol=1e-14)
    for i in range(1, len(PREVIOUS)):
        assert np.abs(with_terms.weights[i] - baseline.weights[i]).max() > 1e-4
        assert np.abs(with_terms.logits[i] - baseline.logits[i]).max() > 1e-4


@pytest.mark.parametrize("name", WITH_TERMS)
@pytest.mark.parametrize("knob", ["projections at zero", "update gate keeps"])
def test_silenced_histories_leave_the_baseline(name, knob):
    system = SYSTEMS[name]
    params = random_params(system, 10)
    for term in system.terms:
        if knob == "projections at zero":
            params |= {key: 0 * params[key] for key in params if key.startswith((f"{term}.V_", f"{term}.L"))}
        else:
            params[f"{term}.gru.b"][D : 2 * D] = 60
    result = run(system, params, SOURCE, PREVIOUS)
    baseline = run(system._replace(terms=(), options={}), params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.logits, baseline.logits, atol=1e-12)
    moved = max(np.abs(history).max() for history in result.histories.values())
    assert (moved > 0.01) == (knob == "projections at zero")


def test_ba_without_target_history_is_sa():
    params = random_params(SYSTEMS["ba"], 11)
    params |= {name: 0 * params[name] for name in ("target_history.V_s", "target_history.L")}
    both, source_only = (run(SYSTEMS[name], params, SOURCE, PREVIOUS).logits for name in ("ba", "sa"))
    np.testing.assert_allclose(both, source_only, atol=1e-14)


def handing_through(system: System, seed: int, tiny: float) -> Params:
    """Parameters whose history GRUs give back tiny * I_ij and keep nothing: z = 0, tanh(tiny * I) = tiny * I."""
    params = random_params(system, seed)
    for name in system.terms:
        width = params[f"{name}.gru.W"].shape[1]
        params[f"{name}.gru.W"] = np.vstack([np.zeros((2 * width, width)), tiny * np.eye(width)])
        params[f"{name}.gru.U"] = np.zeros((3 * width, width))
        params[f"{name}.gru.b"] = np.repeat([0.0, -60.0, 0.0], width)
        projection = {"source_history": "V_h", "target_history": "V_s"}[name]
        params[f"{name}.{projection}"] = np.ones((A, width))
        params[f"{name}.L"] = np.ones((len(params["b_t"]), width))
    return params


@pytest.mark.parametrize("name", WITH_TERMS)
def test_what_is_handed_out_at_a_step_sums_to_the_context_and_to_the_state(name):
    """sum_j I^S_ij = c_i and sum_j I^T_ij = s_{i-1} (or the query, or s_i), because the weights sum to 1."""
    system, tiny = SYSTEMS[name], 1e-9
    result = run(system, handing_through(system, 12, tiny), SOURCE, PREVIOUS)
    state = system.options.get("target_history", {}).get("target_history_state", "prev")
    expected = {
        "source_history": result.contexts,
        "target_history": {"prev": result.states[:-1], "query": result.queries, "cur": result.states[1:]}[state],
    }
    for term in system.terms:
        handed_out = result.histories[term][1:] / tiny
        np.testing.assert_allclose(handed_out.sum(1), expected[term], atol=1e-12)


@pytest.mark.parametrize("name", ATTENDING)
def test_a_permuted_source_permutes_the_weights(name):
    """With an encoder that reads one word at a time (U = 0, z = 0), and D1's initial state cut off from hb_1."""
    params = random_params(SYSTEMS[name], 13)
    for direction in ("enc_f", "enc_b"):
        params[f"{direction}.U"] = 0 * params[f"{direction}.U"]
        params[f"{direction}.b"][H : 2 * H] = -60
    if "W_s" in params:
        params["W_s"] = 0 * params["W_s"]
    source, order = [3, 4, 5, 6, 2], [2, 4, 1, 0, 3]
    weights = run(SYSTEMS[name], params, source, PREVIOUS).weights
    permuted = run(SYSTEMS[name], params, [source[j] for j in order], PREVIOUS).weights
    np.testing.assert_allclose(permuted, weights[:, order], atol=1e-13)
    assert np.abs(weights - weights[:, order]).max() > 1e-3


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


def by_hand() -> Params:
    """One unit everywhere and z = 0, so that every cell is tanh(W_n u); the numbers are chosen to come out round."""
    at = math.atanh
    shut = {"U": np.zeros((3, 1)), "b": np.array([0.0, -60.0, 0.0])}
    cells = {
        "enc_f": [1.0],  # hf_j = tanh(x_j): 0.5, 0.25
        "enc_b": [0.0],  # hb_j = 0
        "gru_1": [at(0.6) / 0.5],  # y = 0.5 -> s'_i = 0.6
        "gru_2": [at(0.5) / 0.4375, 0.0],  # c = 0.4375 -> s_i = 0.5
        "source_history.gru": [at(0.3) / 0.375, 0.0],  # I_11 = 0.75 * 0.5 = 0.375 -> ~h_1 = 0.3
        "target_history.gru": [1.0],  # ~s_1 = tanh(0.75 * state)
    }
    params = {
        f"{cell}.{name}": array
        for cell, row in cells.items()
        for name, array in (shut | {"W": np.array([[0.0] * len(row), [0.0] * len(row), row])}).items()
    }
    energy = math.log(3) / (math.tanh(0.5) - math.tanh(0.25))  # e_1 - e_2 = ln 3 -> alpha = 0.75, 0.25
    params |= {
        "E_x": np.array([[at(0.5)], [at(0.25)]]),
        "E_y": np.array([[0.5], [0.5]]),
        "W_init": np.array([[at(0.2) / 0.375, 0.0]]),  # mean 0.375 -> s_0 = 0.2
        "b_init": np.zeros(1),
        "W_a": np.zeros((1, 1)),
        "U_a": np.array([[1.0, 0.0]]),
        "b_a": np.zeros(1),
        "v": np.array([energy]),
        "L_s": np.array([[2.0]]),
        "L_y": np.array([[3.0]]),
        "L_c": np.array([[4.0, 0.0]]),
        "b_t": np.array([1.0]),
        "W_o": np.array([[1.0], [-1.0]]),
        "b_o": np.array([0.0, 0.5]),
        "source_history.V_h": np.zeros((1, 1)),
        "source_history.L": np.array([[10.0]]),
        "target_history.V_s": np.zeros((1, 1)),
        "target_history.L": np.array([[100.0]]),
    }
    return params


@pytest.mark.parametrize("state", ["prev", "query", "cur"])
def test_two_steps_by_hand(state):
    """Both steps: s'=0.6, alpha=(.75,.25), c=.4375, s=0.5; the second one reads what the first one wrote."""
    system = System("d2", HISTORIES, "linear", {"target_history": {"target_history_state": state}})
    result = run(system, by_hand(), [0, 1], [0, 1])
    np.testing.assert_allclose(result.annotations, [[0.5, 0], [0.25, 0]], atol=1e-14)
    np.testing.assert_allclose(result.states, [[0.2], [0.5], [0.5]], atol=1e-14)
    np.testing.assert_allclose(result.queries, [[0.6], [0.6]], atol=1e-14)
    np.testing.assert_allclose(result.weights, [[0.75, 0.25], [0.75, 0.25]], atol=1e-14)
    np.testing.assert_allclose(result.contexts, [[0.4375, 0], [0.4375, 0]], atol=1e-14)
    t_1 = 2 * 0.5 + 3 * 0.5 + 4 * 0.4375 + 1
    handed_out = {"prev": 0.2, "query": 0.6, "cur": 0.5}[state]
    source_2 = math.tanh(math.atanh(0.3) / 0.375 * 0.25 * 0.25)
    t_2 = t_1 + 10 * (0.75 * 0.3 + 0.25 * source_2)
    t_2 += 100 * (0.75 * math.tanh(0.75 * handed_out) + 0.25 * math.tanh(0.25 * handed_out))
    np.testing.assert_allclose(result.logits, [[t_1, 0.5 - t_1], [t_2, 0.5 - t_2]], atol=1e-12)


def test_histories_enter_the_energy_by_hand():
    """V_h = -1: at the second step e_j = v tanh(h_j - ~h_j^1), with ~h_j^1 = tanh(gain * alpha_1j h_j)."""
    params = by_hand() | {"source_history.V_h": np.array([[-1.0]])}
    result = run(System("d2", HISTORIES[:1], "linear"), params, [0, 1], [0, 1])
    gain = math.atanh(0.3) / 0.375
    e = [params["v"][0] * math.tanh(h - math.tanh(gain * w * h)) for h, w in ((0.5, 0.75), (0.25, 0.25))]
    first = math.exp(e[0]) / (math.exp(e[0]) + math.exp(e[1]))
    np.testing.assert_allclose(result.weights, [[0.75, 0.25], [first, 1 - first]], atol=1e-14)


def test_maxout_takes_the_larger_of_adjacent_pairs():
    np.testing.assert_array_equal(maxout(np.array([1.0, 2.0, -3.0, -4.0, 5.0, 5.0])), [2.0, -3.0, 5.0])
    np.testing.assert_array_equal(maxout(np.array([1 + 9j, 2 - 1j])), [2 - 1j])


def test_log_likelihood_by_hand():
    logits = np.log(np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])) + 1000
    assert log_likelihood(logits, [1, 2]) == pytest.approx(math.log(0.25) + math.log(0.7), abs=1e-12)
    with pytest.raises(ValueError):
        log_likelihood(logits, [1])


def objective(system: System, params: Params) -> complex | float:
    return log_likelihood(run(system, params, SOURCE, PREVIOUS).logits, TARGET)


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


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_parameter_takes_part(name):
    params, direction = random_params(SYSTEMS[name], 19), random_params(SYSTEMS[name], 20)
    f = partial(objective, SYSTEMS[name])
    assert [key for key in params if abs(directional(f, params, {key: direction[key]})) < 1e-9] == []


def test_gradient_of_a_known_function():
    params = {"a": np.array([[1.0, 2.0], [3.0, -4.0]]), "b": np.array([5.0])}

    def f(p: Params) -> complex:
        return p["b"][0] * (p["a"] ** 2).sum()

    np.testing.assert_allclose(gradient(f, params, "a"), 10 * params["a"], rtol=1e-14)
    assert gradient(f, params, "b") == pytest.approx(30.0)


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


@pytest.mark.parametrize("direction", [{"c": np.zeros(1)}, {"b": np.zeros(2)}])
def test_refused_directions(direction):
    with pytest.raises(ValueError, match="no parameter"):
        directional(lambda p: p["b"][0], {"b": np.zeros(1)}, direction)
