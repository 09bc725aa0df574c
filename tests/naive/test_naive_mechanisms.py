"""The truths of whole mechanisms: held to torch's LSTM, to numbers made by hand, to what their papers promise."""

import math
from functools import partial

import numpy as np
import pytest
import torch

from tests.naive import Params, part
from tests.naive.agreement import agreement, bonus
from tests.naive.candidates import candidate_log_likelihood, candidate_log_softmax
from tests.naive.decoding_history import DHEA
from tests.naive.gated import GAtt, GAttInv
from tests.naive.gradient import directional
from tests.naive.interactive import InteractiveAttention
from tests.naive.interface import System
from tests.naive.lstm import lstm
from tests.naive.luong import (
    Luong,
    LuongConcat,
    LuongDot,
    LuongGeneral,
    LuongLocalM,
    LuongLocalP,
    LuongLocation,
)
from tests.naive.mechanism_shapes import S_MAX, random_params
from tests.naive.shapes import V_X, V_Y, A, E, H, R, below
from tests.naive.shapes import shapes as cell_shapes
from tests.naive.system import log_likelihood, run

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 6, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
STAR = {"luong_base": "rnnsearch_star"}
LUONG = [f"luong_{name}" for name in ("global_dot", "global_general", "global_concat", "global_location")]
LUONG += ["luong_local_m", "luong_local_p"]
INF = math.inf


def system_of(cell: str, **options: str | bool | int) -> System:
    return System(cell, options={cell: options})


SYSTEMS = {
    "interactive": System("interactive"),
    "interactive separate": system_of("interactive", ia_separate_write=True),
    "gatt": System("gatt"),
    "gatt query": system_of("gatt", gatt_state="query"),
    "gatt reset before": system_of("gatt", gru_reset_before=True),
    "gatt_inv": System("gatt_inv"),
    "gatt_inv query": system_of("gatt_inv", gatt_state="query"),
    "gatt_inv reset before": system_of("gatt_inv", gru_reset_before=True),
    "dhea": System("dhea"),
    **{name: System(name) for name in LUONG},
    **{f"{name} on d2": system_of(name, **STAR) for name in LUONG if name != "luong_global_dot"},
    **{f"{name} narrow": system_of(name, local_window=1) for name in LUONG[-2:]},
    "luong_global_general unfed": system_of("luong_global_general", input_feeding=False),
    "luong_global_general one layer": system_of("luong_global_general", luong_layers=1),
    "luong_local_p renorm": system_of("luong_local_p", local_window=2, local_renorm=True),
    **{f"{name} without eos": system_of(name, attend_eos=False) for name in LUONG},
}


# What holds for every mechanism


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize(("source", "previous"), [(SOURCE, PREVIOUS), ([2], [2]), ([3, 2], [2, 5])])
def test_weights_are_a_distribution(name, source, previous):
    """Luong's Gaussian takes some of the weight away, unless it is given back."""
    result = run(SYSTEMS[name], random_params(SYSTEMS[name], 1), source, previous)
    assert result.weights.shape == (len(previous), len(source))
    assert (result.weights >= 0).all()
    assert np.isfinite(result.logits).all()
    total = result.weights.sum(1)
    if SYSTEMS[name].cell == "luong_local_p" and "renorm" not in name:
        assert (total > 0).all() and (total <= 1).all()
        assert (total < 1).all() == (np.count_nonzero(result.weights[0]) > 1)
    else:
        np.testing.assert_allclose(total, 1, atol=1e-15)


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name.startswith("luong")])
def test_contexts_of_luong_are_the_weights_on_the_annotations(name):
    result = run(SYSTEMS[name], random_params(SYSTEMS[name], 2), SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.contexts, result.weights @ result.annotations, atol=1e-14)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_future_of_the_target_is_not_seen(name):
    params = random_params(SYSTEMS[name], 3)
    whole = run(SYSTEMS[name], params, SOURCE, PREVIOUS).logits
    np.testing.assert_array_equal(run(SYSTEMS[name], params, SOURCE, PREVIOUS[:2]).logits, whole[:2])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("interactive", {"ia_separate_write": True}),
        ("gatt", {"gatt_state": "query"}),
        ("gatt", {"gru_reset_before": True}),
        ("gatt_inv", {"gatt_state": "query"}),
        ("gatt_inv", {"gru_reset_before": True}),
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


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_parameter_takes_part(name):
    params, direction = random_params(SYSTEMS[name], 7), random_params(SYSTEMS[name], 8)
    f = partial(objective, SYSTEMS[name])
    assert [key for key in params if abs(directional(f, params, {key: direction[key]})) < 1e-9] == []


@pytest.mark.parametrize("name", ["interactive", "gatt", "gatt_inv", "dhea", *LUONG])
def test_mechanisms_take_no_terms(name):
    params = random_params(System(name), 9)
    params |= {f"source_history.{key}": np.zeros(shape) for key, shape in {"V_h": (A, 2), "L": (R, 2)}.items()}
    with pytest.raises(ValueError, match="no terms"):
        run(System(name, ("source_history",)), params, SOURCE, PREVIOUS)


def assert_baseline(name: str, params: Params, steps: int, **tolerance: float) -> None:
    """The first steps are RNNsearch*'s of the same parameters, its matrices cut to the first columns."""
    mechanism = run(System(name), params, SOURCE, PREVIOUS)
    narrow = {"gru_2.W": params["gru_2.W"][:, : 2 * H], "L_c": params["L_c"][:, : 2 * H]}
    baseline = run(System("d2"), params | narrow, SOURCE, PREVIOUS)
    np.testing.assert_allclose(mechanism.weights[:steps], baseline.weights[:steps], **tolerance)
    np.testing.assert_allclose(mechanism.logits[:steps], baseline.logits[:steps], **tolerance)
    if steps < len(PREVIOUS):
        assert np.abs(mechanism.logits[steps] - baseline.logits[steps]).max() > 1e-4


@pytest.mark.parametrize("name", ["interactive", "dhea"])
def test_the_first_step_is_the_baselines(name):
    assert_baseline(name, random_params(System(name), 10), steps=1, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("interactive", {"W_F": 0.0, "b_F": -INF, "W_U": 0.0, "b_U": -INF}),
        ("gatt", {"gru.b": [0.0] * 2 * H + [INF] * 2 * H + [0.0] * 2 * H}),
        ("dhea", {"b_g": -INF}),
        ("dhea", {"P": 0.0}),
    ],
)
def test_silenced_mechanisms_are_the_baseline(name, silent):
    params = random_params(System(name), 11)
    params |= {key: np.broadcast_to(value, params[key].shape).astype(float) for key, value in silent.items()}
    assert_baseline(name, params, steps=len(PREVIOUS), rtol=0, atol=1e-14)


# Interactive attention


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
    params = {"W_F": [[0.0]], "b_F": [-INF], "W_U": [[0.0]], "b_U": [0.0]}
    params |= {"W_aw": [[2.0]], "U_aw": [[1.0]], "b_aw": [-1.0], "v_w": [4 * math.log(3)]}
    cell = interactive([[first], [second]], params, separate=True)
    write(cell, np.full(2, np.nan), 0.5)
    np.testing.assert_allclose(np.ravel(cell.memory), [first + 0.375, second + 0.125], atol=1e-15)


def test_interactive_memory_stays_in_its_bounds():
    rng = np.random.default_rng(12)
    S, C = 5, 3
    h_0 = rng.normal(size=(S, C))
    names = {"W_F": (C, 1), "b_F": (C,), "W_U": (C, 1), "b_U": (C,)}
    cell = interactive(h_0.tolist(), {name: rng.normal(0, 3, shape) for name, shape in names.items()})
    for i in range(1, 9):
        alpha = rng.dirichlet(np.full(S, 0.3))
        alpha[i % S] = 0
        before = np.array(cell.memory)
        write(cell, alpha, rng.uniform(-1, 1))
        after = np.array(cell.memory)
        np.testing.assert_array_equal(after[i % S], before[i % S])
        assert (after >= np.minimum(h_0, 0)).all() and (after <= np.maximum(h_0, 0) + i).all()
        share = alpha[:, None]
        assert ((after >= before * (1 - share)) & (after <= before + share))[before >= 0].all()
    assert np.abs(after - h_0).max() > 0.1


def test_interactive_with_one_source_position_has_a_closed_form():
    """alpha = 1: c_i = h^{(i-1)}, and h^{(i)} = h^{(i-1)} (1 - F_i) + U_i."""
    params = random_params(System("interactive"), 13)
    result = run(System("interactive"), params, [2], PREVIOUS)
    memory = result.annotations[0]
    for i in range(len(PREVIOUS)):
        np.testing.assert_allclose(result.contexts[i], memory, atol=1e-14)
        s = result.states[i + 1]
        F, U = (1 / (1 + np.exp(-params[f"W_{gate}"] @ s - params[f"b_{gate}"])) for gate in "FU")
        memory = memory * (1 - F) + U


# GRU-gated attention


def gated(kind: type[GAtt], **options: str | bool) -> GAtt:
    """One unit; s_0 = 0.5, r = z = 1/2, n = tanh(u + h), and an energy of 0 for every position."""
    params = {"W_init": np.zeros((1, 1)), "b_init": np.array([math.atanh(0.5)]), "v": np.zeros(1), "b_a": np.zeros(1)}
    params |= {"W_a": np.zeros((1, 1)), "U_a": np.zeros((1, 1)), "gru.b": np.zeros(3)}
    params |= {"gru.W": np.array([[0.0], [0.0], [1.0]]), "gru.U": np.array([[0.0], [0.0], [2.0]])}
    cell = kind(params, **options)
    cell.start([np.array([0.25]), np.array([0.75])])
    return cell


@pytest.mark.parametrize("state", ["prev", "query"])
@pytest.mark.parametrize(("kind", "keeps"), [(GAtt, "annotation"), (GAttInv, "state")])
def test_gated_attention_by_hand(kind, keeps, state):
    cell = gated(kind, gatt_state=state)
    h, q, unused = [np.array([0.25]), np.array([0.75])], np.array([0.1]), np.full(1, np.nan)
    for s_prev in (0.5, -0.3):
        u = {"prev": s_prev, "query": 0.1}[state]
        refined = [0.5 * {"annotation": h_j[0], "state": u}[keeps] + 0.5 * math.tanh(u + h_j[0]) for h_j in h]
        alpha, c = cell.attend(q, h, ())
        np.testing.assert_allclose(alpha, [0.5, 0.5], atol=1e-15)
        np.testing.assert_allclose(c, [sum(refined) / 2], atol=1e-15)
        cell.update(alpha, c, unused, unused, np.array([-0.3]))


def test_gated_attention_attends_the_refined_annotations():
    """U_a reads h^g, not h: energies from the values by hand above, with v = U_a = 1."""
    cell = gated(GAtt)
    cell.p |= {"U_a": np.ones((1, 1)), "v": np.ones(1)}
    h = [np.array([0.25]), np.array([0.75])]
    refined = [0.5 * h_j[0] + 0.5 * math.tanh(0.5 + h_j[0]) for h_j in h]
    odds = math.exp(math.tanh(refined[0]) - math.tanh(refined[1]))
    alpha, c = cell.attend(np.zeros(1), h, ())
    np.testing.assert_allclose(alpha, [odds / (1 + odds), 1 / (1 + odds)], atol=1e-15)
    np.testing.assert_allclose(c, [alpha @ np.array(refined)], atol=1e-15)


@pytest.mark.parametrize(("state", "kept"), [("prev", "states"), ("query", "queries")])
def test_gatt_inv_that_only_keeps_the_state_attends_evenly(state, kept):
    system = system_of("gatt_inv", gatt_state=state)
    params = random_params(system, 14)
    params["gru.b"][H : 2 * H] = INF
    result = run(system, params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.weights, 1 / len(SOURCE), atol=1e-15)
    np.testing.assert_allclose(result.contexts, getattr(result, kept)[: len(PREVIOUS)], atol=1e-15)


@pytest.mark.parametrize("name", ["gatt", "gatt_inv"])
def test_gated_contexts_differ_even_where_the_weights_do_not(name):
    params = random_params(System(name), 15)
    params["v"] = np.zeros(A)
    result = run(System(name), params, SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.weights, 1 / len(SOURCE), atol=1e-15)
    assert np.abs(np.diff(result.contexts, axis=0)).max(1).min() > 1e-3


@pytest.mark.parametrize("name", ["gatt", "gatt_inv"])
def test_gated_annotations_are_not_carried_over(name):
    """While the decoder stands still, every step refines the encoder's annotations to the same ones."""
    params = random_params(System(name), 16)
    for cell in ("gru_1", "gru_2"):
        params[f"{cell}.b"][H : 2 * H] = INF
    contexts = run(System(name), params, SOURCE, PREVIOUS).contexts
    np.testing.assert_array_equal(contexts, np.tile(contexts[0], (len(PREVIOUS), 1)))


# Decoding history


def test_dhea_by_hand():
    """c^s = 0.375; s_1 = 0.5, s_2 = 0.25: beta = (3/4, 1/4), c^t = 0.4375; W_g q + C_s c^s + C_t c^t + b_g = ln 3."""
    params = {name: np.zeros((1, 1)) for name in ("W_init", "W_a", "U_a")} | {
        name: np.zeros(1) for name in ("b_a", "v")
    }
    params |= {"b_init": np.zeros(1), "P": np.array([[2.0]]), "W_t": np.array([[5.0]]), "U_t": np.array([[2.0]])}
    params |= {"v_t": np.array([math.log(3) / (math.tanh(1.5) - math.tanh(1.0))])}
    params |= {"W_g": np.array([[10.0]]), "C_s": np.array([[8.0]]), "C_t": np.array([[16.0]])}
    params |= {"b_g": np.array([math.log(3) - 1.0 - 3.0 - 7.0])}
    cell, h, q, unused = DHEA(params), [np.array([0.5]), np.array([0.25])], np.array([0.1]), np.full(1, np.nan)
    cell.start(h)
    np.testing.assert_allclose(cell.attend(q, h, ())[1], [0.375, 0], atol=1e-15)
    for s in (0.5, 0.25):
        cell.update(unused, unused, unused, unused, np.array([s]))
    alpha, c = cell.attend(q, h, ())
    np.testing.assert_allclose(alpha, [0.5, 0.5], atol=1e-15)
    np.testing.assert_allclose(c, [0.375, 0.75 * 2 * 0.4375], atol=1e-14)


def test_dhea_of_one_past_state_has_a_closed_form():
    """beta = 1: c_2 = [alpha_2 h ; g * (P s_1)]. The gate acts on what P projects, not on what it reads."""
    params = random_params(System("dhea"), 34)
    result = run(System("dhea"), params, SOURCE, PREVIOUS)
    c_s, s_1 = result.weights[1] @ result.annotations, result.states[1]
    x = params["W_g"] @ result.queries[1] + params["C_s"] @ c_s + params["C_t"] @ s_1 + params["b_g"]
    expected = np.concatenate([c_s, params["P"] @ s_1 / (1 + np.exp(-x))])
    np.testing.assert_allclose(result.contexts[1], expected, atol=1e-14)


def test_dhea_forgets_between_sentences():
    params = random_params(System("dhea"), 17)
    cell = DHEA(params)
    h = cell.encode(params["E_x"][SOURCE])
    s = cell.start(h)
    fresh = cell.attend(s, h, ())[1]
    cell.update(None, None, None, None, s)
    assert np.abs(cell.attend(s, h, ())[1] - fresh).max() > 1e-3
    cell.start(h)
    np.testing.assert_array_equal(cell.attend(s, h, ())[1], fresh)


# Luong


def copy_to_torch(lstm: torch.nn.LSTM, params: Params, side: str) -> None:
    for k in range(lstm.num_layers):
        for theirs, ours in (("weight_ih", "W"), ("weight_hh", "U"), ("bias_ih", "b"), ("bias_hh", "b_U")):
            getattr(lstm, f"{theirs}_l{k}").data = torch.from_numpy(params[f"{side}_{k}.{ours}"])


@pytest.mark.parametrize("source", [SOURCE, [2]])
@pytest.mark.parametrize("input_feeding", [True, False])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_stacked_lstms_are_torchs(source, input_feeding, layers):
    """The decoder starts from the encoder's last states and is fed a~_{i-1} = tanh(W_c [c_{i-1} ; d_{i-1}])."""
    system = system_of("luong_global_general", input_feeding=input_feeding, luong_layers=layers)
    params = random_params(system, 18)
    result = run(system, params, source, PREVIOUS)
    attentional = np.tanh(np.hstack([result.contexts, result.queries]) @ params["W_c"].T)
    fed = np.vstack([np.zeros(H), attentional[:-1]])
    x, y = params["E_x"][source], params["E_y"][PREVIOUS]
    u = np.hstack([y, fed]) if input_feeding else y
    encoder = torch.nn.LSTM(E, H, layers, dtype=torch.float64)
    decoder = torch.nn.LSTM(u.shape[1], H, layers, dtype=torch.float64)
    copy_to_torch(encoder, params, "enc")
    copy_to_torch(decoder, params, "dec")
    with torch.no_grad():
        h, last = encoder(torch.from_numpy(x))
        d = decoder(torch.from_numpy(u), last)[0].numpy()
    np.testing.assert_allclose(result.annotations, h.numpy(), atol=1e-14)
    np.testing.assert_allclose(result.queries, d, atol=1e-14)
    np.testing.assert_allclose(result.states, np.vstack([h[-1].numpy(), d]), atol=1e-14)
    np.testing.assert_allclose(result.logits, attentional @ params["W_o"].T + params["b_o"], atol=1e-13)


def test_lstm_without_second_bias_has_it_zero():
    rng = np.random.default_rng(33)
    p = {"W": rng.normal(size=(8, 3)), "U": rng.normal(size=(8, 2)), "b": rng.normal(size=8)}
    u, h, c = rng.normal(size=3), rng.normal(size=2), rng.normal(size=2)
    np.testing.assert_array_equal(lstm(u, h, c, p), lstm(u, h, c, p | {"b_U": np.zeros(8)}))


def attention_on_d2(kind: type[Luong], params: dict[str, list], step: int, d: list, h: list, **options) -> np.ndarray:
    """alpha_i at the given step, of the query d and the annotations h alone."""
    zero = {"W_init": np.zeros((len(d), len(h[0]))), "b_init": np.zeros(len(d))}
    cell = kind(zero | {name: np.array(value) for name, value in params.items()}, "rnnsearch_star", **options)
    annotations = [np.array(h_j) for h_j in h]
    cell.start(annotations)
    for _ in range(step - 1):
        cell.update(None, None, None, None, None)
    alpha, c = cell.attend(np.array(d), annotations, ())
    np.testing.assert_allclose(c, alpha @ np.array(annotations), atol=1e-15)
    return alpha


D_I, ANNOTATIONS = [0.5, -2.0], [[0.2, 0.3], [-0.1, 0.4], [0.0, -1.0]]


@pytest.mark.parametrize(
    ("kind", "params", "energies"),
    [
        (LuongDot, {}, [0.1 - 0.6, -0.05 - 0.8, 2.0]),
        # d^T W_a = [0.5 * 1 - 2 * 3, 0.5 * 2 - 2 * 5] = [-5.5, -9]
        (LuongGeneral, {"W_a": [[1.0, 2.0], [3.0, 5.0]]}, [-1.1 - 2.7, 0.55 - 3.6, 9.0]),
        # d first: 1 * 0.5 + 2 * (-2) + 3 h_1 + 4 h_2
        (
            LuongConcat,
            {"W_a": [[1.0, 2.0, 3.0, 4.0]], "v": [2.0]},
            [2 * math.tanh(-3.5 + 0.6 + 1.2), 2 * math.tanh(-3.5 - 0.3 + 1.6), 2 * math.tanh(-7.5)],
        ),
        (LuongLocation, {"W_l": [[1.0, 0.0], [0.0, 1.0], [2.0, 0.5], [9.0, 9.0]]}, [0.5, -2.0, 0.0]),
    ],
)
def test_scores_by_hand(kind, params, energies):
    expected = [math.exp(e) / sum(map(math.exp, energies)) for e in energies]
    np.testing.assert_allclose(attention_on_d2(kind, params, 1, D_I, ANNOTATIONS), expected, atol=1e-15)


@pytest.mark.parametrize(
    ("S", "D", "step", "attend_eos", "window"),
    [
        (7, 1, 1, True, [1, 2]),
        (7, 1, 3, True, [2, 3, 4]),
        (7, 0, 3, True, [3]),
        (7, 1, 6, True, [5, 6, 7]),
        (7, 1, 6, False, [5, 6]),
        (7, 1, 9, True, [5, 6, 7]),
        (7, 0, 9, False, [6]),
        (7, 10, 2, True, [1, 2, 3, 4, 5, 6, 7]),
        (7, 10, 2, False, [1, 2, 3, 4, 5, 6]),
        (2, 1, 5, True, [1, 2]),
        (2, 1, 5, False, [1]),
        (2, 0, 5, True, [1]),
        (1, 0, 1, True, [1]),
        (1, 3, 4, False, [1]),
    ],
)
def test_window_of_local_m_by_hand(S, D, step, attend_eos, window):
    h = np.random.default_rng(19).normal(size=(S, 1)).tolist()
    alpha = attention_on_d2(LuongLocalM, {"W_a": [[0.0]]}, step, [1.0], h, local_window=D, attend_eos=attend_eos)
    expected = [1 / len(window) if j in window else 0.0 for j in range(1, S + 1)]
    np.testing.assert_allclose(alpha, expected, rtol=0, atol=1e-16)
    assert (alpha[[j - 1 for j in range(1, S + 1) if j not in window]] == 0).all()


@pytest.mark.parametrize("renorm", [False, True])
@pytest.mark.parametrize(
    ("S", "D", "sigmoid", "attend_eos", "p", "window"),
    [
        (8, 2, 0.5, True, 4.0, [2, 3, 4, 5, 6]),
        (9, 2, 0.5, True, 4.5, [2, 3, 4, 5, 6]),
        (9, 2, 0.9, True, 7.3, [5, 6, 7, 8, 9]),
        (9, 2, 0.9, False, 7.3, [5, 6, 7, 8]),
        (9, 3, 0.1, True, 1.7, [1, 2, 3, 4]),
        (2, 1, 0.9, True, 1.0, [1, 2]),
        (1, 1, 0.9, True, 1.0, [1]),
        (1, 1, 0.9, False, 1.0, [1]),
    ],
)
def test_local_p_by_hand(S, D, sigmoid, attend_eos, p, window, renorm):
    """tanh(W_p d) = 0.5 and v_p makes of it the logit of the sigmoid; the scores are 0. The step plays no part."""
    logit = math.log(sigmoid / (1 - sigmoid))
    params = {"W_a": [[0.0]], "W_p": [[math.atanh(0.5) / 3]], "v_p": [2 * logit]}
    options = {"local_window": D, "attend_eos": attend_eos, "local_renorm": renorm}
    alpha = attention_on_d2(LuongLocalP, params, 3, [3.0], [[0.1]] * S, **options)
    sigma = D / 2
    expected = np.zeros(S)
    for j in window:
        expected[j - 1] = math.exp(-((j - p) ** 2) / (2 * sigma**2)) / len(window)
    np.testing.assert_allclose(alpha, expected / expected.sum() if renorm else expected, rtol=0, atol=1e-14)


def test_local_attention_is_a_softmax_of_the_general_score_in_the_window():
    """Of the weights of global attention what is in the window, made to sum to 1. The first step: all else is equal."""
    params = random_params(System("luong_local_m"), 20)
    everywhere = run(System("luong_global_general"), params, SOURCE, PREVIOUS[:1]).weights[0]
    local = run(system_of("luong_local_m", local_window=2), params, SOURCE, PREVIOUS[:1]).weights[0]
    np.testing.assert_allclose(local[:3], everywhere[:3] / everywhere[:3].sum(), atol=1e-15)
    np.testing.assert_array_equal(local[3:], 0)


@pytest.mark.parametrize("base", ["lstm", "rnnsearch_star"])
def test_wide_windows_are_global(base):
    """Local-m from D = S on; local-p in the limit of a Gaussian that is 1 everywhere."""
    params = random_params(system_of("luong_local_p", luong_base=base), 21)
    everywhere = run(system_of("luong_global_general", luong_base=base), params, SOURCE, PREVIOUS).logits
    monotonic = system_of("luong_local_m", luong_base=base, local_window=len(SOURCE))
    np.testing.assert_allclose(run(monotonic, params, SOURCE, PREVIOUS).logits, everywhere, atol=1e-14)
    predicted = system_of("luong_local_p", luong_base=base, local_window=10**8)
    np.testing.assert_allclose(run(predicted, params, SOURCE, PREVIOUS).logits, everywhere, atol=1e-12)


def test_dot_is_general_with_the_unit_matrix():
    params = random_params(System("luong_global_dot"), 22)
    dot = run(System("luong_global_dot"), params, SOURCE, PREVIOUS)
    general = run(System("luong_global_general"), params | {"W_a": np.eye(H)}, SOURCE, PREVIOUS)
    np.testing.assert_allclose(general.logits, dot.logits, atol=1e-14)


def test_location_does_not_look_at_the_source_and_uses_as_many_rows_as_it_has_positions():
    params = random_params(System("luong_global_location"), 23)
    longer = np.vstack([params["W_l"], np.full((9, H), 100.0)])
    longer[len(SOURCE) : S_MAX] = -100.0
    expected = run(System("luong_global_location"), params, SOURCE, PREVIOUS)
    np.testing.assert_array_equal(
        run(System("luong_global_location"), params | {"W_l": longer}, SOURCE, PREVIOUS).weights, expected.weights
    )
    e = expected.queries @ params["W_l"][: len(SOURCE)].T
    weights = np.exp(e) / np.exp(e).sum(1, keepdims=True)
    np.testing.assert_allclose(expected.weights, weights, atol=1e-15)


@pytest.mark.parametrize("name", LUONG)
def test_eos_is_left_out_unless_it_is_alone(name):
    system = SYSTEMS[f"{name} without eos"]
    params = random_params(system, 24)
    weights = run(system, params, SOURCE, PREVIOUS).weights
    assert (weights[:, -1] == 0).all() and (weights[:, :-1] > 0).all()
    np.testing.assert_allclose(run(system, params, [2], PREVIOUS).weights, 1, atol=1e-15)


def test_luong_on_d2_is_d2_but_for_the_score():
    """An even score on both sides: v = 0 there, W_a = 0 here."""
    system = SYSTEMS["luong_global_general on d2"]
    params = random_params(system, 25)
    even = {"W_a": np.zeros((A, H)), "U_a": np.zeros((A, 2 * H)), "b_a": np.zeros(A), "v": np.zeros(A)}
    ours = run(system, params | {"W_a": np.zeros((H, 2 * H))}, SOURCE, PREVIOUS)
    np.testing.assert_allclose(ours.logits, run(System("d2"), params | even, SOURCE, PREVIOUS).logits, atol=1e-14)
    maxout = system._replace(readout="maxout")
    wide = {name: np.vstack([params[name]] * 2) for name in ("L_s", "L_y", "L_c")} | {"b_t": np.tile(params["b_t"], 2)}
    assert run(maxout, params | wide, SOURCE, PREVIOUS).logits.shape == (len(PREVIOUS), V_Y)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (system_of("gatt", gatt_state="cur"), "not in tuple"),
        (system_of("luong_global_dot", luong_base="gru"), "lstm or rnnsearch_star"),
        (system_of("luong_global_dot", **STAR), "as wide as the query: 8 and 4"),
        (system_of("luong_global_location", location_positions=5), "a source of 6 positions"),
        (system_of("luong_local_p", local_window=0), "at least 1"),
        (System("luong_global_dot", readout="maxout"), "not maxout"),
    ],
)
def test_refused_systems(system, message):
    with pytest.raises(ValueError, match=message):
        run(system, random_params(system, 26), SOURCE, PREVIOUS)


# Agreement of two directions


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


# Candidate lists

LOGITS = np.log(np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])) + 1000


def test_candidate_softmax_by_hand():
    """0.3 and 0.1 of 0.4; a word named twice counts once."""
    log_p = candidate_log_softmax(LOGITS[0], [3, 1, 3])
    np.testing.assert_allclose(np.exp(log_p), [0, 0.75, 0, 0.25], atol=1e-12)
    assert log_p[0] == log_p[2] == -INF
    assert candidate_log_likelihood(LOGITS, [1, 3], [1, 3]) == pytest.approx(
        math.log(3 / 4) + math.log(4 / 6), abs=1e-12
    )


def test_all_candidates_are_the_softmax_and_fewer_are_likelier():
    logits = np.random.default_rng(32).normal(0, 3, (4, 9))
    targets, full = [5, 2, 8, 2], range(9)
    whole = log_likelihood(logits, targets)
    assert candidate_log_likelihood(logits, targets, full) == pytest.approx(whole, abs=1e-12)
    for without in ({0}, {0, 1, 3}, {0, 1, 3, 4, 6, 7}):
        assert candidate_log_likelihood(logits, targets, set(full) - without) > whole + 1e-6
    for o in logits:
        assert np.exp(candidate_log_softmax(o, {1, 4, 6})).sum() == pytest.approx(1, abs=1e-14)


def test_candidate_softmax_by_the_complex_step():
    """d log p(y) / d o = 1 at y minus p, and exactly 0 at words that are no candidates."""

    def f(p: Params) -> complex | float:
        return candidate_log_likelihood(p["o"][None], [3], [1, 3])

    slopes = [directional(f, {"o": LOGITS[0]}, {"o": unit}) for unit in np.eye(4)]
    np.testing.assert_allclose(slopes, [0, -0.75, 0, 0.75], atol=1e-12)


@pytest.mark.parametrize("candidates", [[], [4], [-1, 2]])
def test_refused_candidates(candidates):
    with pytest.raises(ValueError, match="from 0 to 3"):
        candidate_log_softmax(LOGITS[0], candidates)


def test_refused_targets():
    with pytest.raises(ValueError, match=r"no candidates: \[2\]"):
        candidate_log_likelihood(LOGITS, [1, 2], [1, 3])
