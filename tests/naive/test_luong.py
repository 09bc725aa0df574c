"""Luong's systems, their reference implementations: torch's LSTM, scores and windows by hand."""

import math

import numpy as np
import pytest
import torch

from tests.helpers.naive.one_mechanism import PREVIOUS, SOURCE, STAR, SYSTEMS, system_of
from tests.helpers.torch_cells import load
from tests.naive import part
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
from tests.naive.shapes import S_MAX, V_Y, A, E, H, random_params
from tests.naive.system import run


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
    for k in range(layers):
        load(encoder, **part(params, f"enc_{k}"), suffix=f"_l{k}")
        load(decoder, **part(params, f"dec_{k}"), suffix=f"_l{k}")
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
