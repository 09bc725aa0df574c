"""The truths of the terms: held to what their papers promise, to numbers made by hand, to torch's cells."""

import math
from functools import partial
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
import torch

from tests.naive import Params, part
from tests.naive.coverage_embedding import last_links
from tests.naive.coverage_embedding_gru import CoverageEmbeddingGru
from tests.naive.coverage_embedding_sub import CoverageEmbeddingSub
from tests.naive.gradient import directional
from tests.naive.gru import gru, sigmoid
from tests.naive.interface import Result, Sentence, System, Target
from tests.naive.nn_coverage_gru import NnCoverageGru
from tests.naive.nn_coverage_tanh import NnCoverageTanh
from tests.naive.norm import l1, l2
from tests.naive.position_bias import PositionBias
from tests.naive.recurrent_attention import RecurrentAttention
from tests.naive.shapes import A, D, E, H, random_params, shapes
from tests.naive.supervised_attention import SupervisedAttention
from tests.naive.system import log_likelihood, run
from tests.naive.window import window

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
S, T = len(SOURCE), len(TARGET)
LINKS = np.array([[1, 0, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]])  # y_3 and x_3 have none
EVERY_TERM = (
    "source_history",
    "target_history",
    "linguistic_coverage",
    "linguistic_coverage_fertility",
    "nn_coverage_tanh",
    "nn_coverage_gru",
    "coverage_embedding_gru",
    "coverage_embedding_sub",
    "source_bridging",
    "target_bridging",
    "direct_bridging",
    "position_bias",
    "markov_bias",
    "local_fertility_bias",
    "global_fertility",
    "recurrent_attention",
    "implicit_distortion",
    "implicit_fertility",
    "supervised_attention",
)
OPTIONS = {
    "linguistic_coverage": ({"linguistic_coverage_mode": "subtract"},),
    "linguistic_coverage_fertility": (
        {"linguistic_coverage_mode": "subtract"},
        {"max_fertility": 3.0, "fertility_bias": True},
    ),
    "nn_coverage_tanh": ({"nn_coverage_state": "query"},),
    "nn_coverage_gru": ({"nn_coverage_state": "query"}, {"gru_reset_before": True}),
    "coverage_embedding_gru": (
        {"covemb_objective": "final", "covemb_gru_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_gru_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_norm": 1},
    ),
    "coverage_embedding_sub": (
        {"covemb_objective": "final", "covemb_sub_lambda": 0.1},
        {"covemb_objective": "supervised", "covemb_norm": 1},
    ),
    "direct_bridging": ({"bridge_soft": True}, {"bridge_lambda": 0.5}),
    "markov_bias": ({"cohn_window": 2},),
    "local_fertility_bias": ({"cohn_window": 0},),
    "global_fertility": ({"fertility_lambda": 0.5, "fertility_penalty": 0.25},),
    "recurrent_attention": ({"recurrent_attention_window": 1}, {"memory_in_context": True}),
    "implicit_distortion": ({"recatt": "context"},),
    "implicit_fertility": ({"fertdec_eta": 0.5},),
    "supervised_attention": (
        {"alignment_loss": "mse", "alignment_unaligned": "inherit"},
        {"alignment_loss": "mul", "alignment_sigma": 0.5},
    ),
}
CASES = {
    " ".join([name, *map(str, options.values())]): (name, options)
    for name in EVERY_TERM
    for options in ({}, *OPTIONS.get(name, ()))
}
PROJECTIONS = {"V_h", "V_s", "V_a", "V_c", "V_d", "V_g", "W_p", "W_m", "W_f", "L"}  # the way out of a term's state
NOT_EMPTY_AT_FIRST = {  # beginnings of the cases whose first step is not the baseline's
    "linguistic_coverage subtract",
    "linguistic_coverage_fertility subtract",
    "coverage_embedding_",
    "source_bridging",
    "target_bridging",
    "position_bias",
    "implicit_fertility",
}
ONLY_A_LOSS = {"direct_bridging", "global_fertility", "supervised_attention"}


def system_of(case: str, cell: str = "d2") -> System:
    name, options = CASES[case]
    return System(cell, (name,), options={name: options} if options else {})


def of_term(name: str, cell: str = "d2", **options: object) -> System:
    return System(cell, (name,), options={name: options})


def run_all(system: System, params: Params) -> Result:
    return run(system, params, SOURCE, PREVIOUS, TARGET, LINKS)


def loss_of(system: System, params: Params) -> complex | float:
    return run_all(system, params).losses[system.terms[-1]]


def objective(system: System, params: Params) -> complex | float:
    result = run_all(system, params)
    return log_likelihood(result.logits, TARGET) + sum(result.losses.values())


def without_terms(system: System, params: Params) -> tuple[System, Params]:
    """The baseline, with the first columns of the matrices that the terms widen."""
    baseline = System(system.cell, readout=system.readout)
    return baseline, {name: params[name][..., : shape[-1]] for name, shape in shapes(baseline).items()}


def logits_of_baseline(system: System, params: Params) -> np.ndarray:
    return run(*without_terms(system, params), SOURCE, PREVIOUS).logits


def silenced(system: System, params: Params) -> Params:
    """With all that the terms add to the decoder multiplied by 0."""
    quiet = dict(params)
    for name, shape in shapes(System(system.cell)).items():
        quiet[name] = params[name].copy()
        quiet[name][..., shape[-1] :] = 0
    for term in system.terms:
        quiet |= {f"{term}.{key}": 0 * array for key, array in part(params, term).items() if key in PROJECTIONS}
    return quiet


def handing_through(params: Params, gain: np.ndarray, cell: str = "gru_2") -> Params:
    """Parameters whose GRU `cell` keeps nothing of the old state and gives back tanh(gain @ input)."""
    size = len(gain)
    W, U, b = np.vstack([0 * gain, 0 * gain, gain]), np.zeros((3 * size, size)), np.repeat([0.0, -60.0, 0.0], size)
    return params | {f"{cell}.W": W, f"{cell}.U": U, f"{cell}.b": b}


# All terms


@pytest.mark.parametrize("cell", ["d1", "d2"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("source", "previous"), [(SOURCE, PREVIOUS), ([2], [2])])
def test_weights_are_a_distribution_and_contexts_their_means(cell, case, source, previous):
    system = system_of(case, cell)
    target, links = [*previous[1:], 2], np.zeros((len(previous), len(source)))
    links[-1, -1] = 1
    result = run(system, random_params(system, 1), source, previous, target, links)
    np.testing.assert_allclose(result.weights.sum(1), 1, atol=1e-14)
    assert (result.weights > 0).all()
    np.testing.assert_allclose(result.contexts, result.weights @ result.annotations, atol=1e-13)
    numbers = [result.logits, *result.histories.values(), *result.losses.values()]
    assert all(np.isfinite(array).all() for array in numbers)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_any_two_terms_run_together(cell):
    """In either order they give the same, and neither changes what kind of thing the other one leaves behind."""

    def of(*terms: str) -> tuple[np.ndarray, dict[str, tuple[int, ...]], set[str]]:
        params = random_params(System(cell, tuple(sorted(terms))), 2)
        result = run(System(cell, terms), params, [3, 2], [2, 5], [5, 2], np.eye(2))
        return result.logits, {term: history.shape for term, history in result.histories.items()}, set(result.losses)

    alone = {name: of(name) for name in EVERY_TERM}
    for one, other in combinations(EVERY_TERM, 2):
        logits, histories, losses = of(one, other)
        np.testing.assert_allclose(of(other, one)[0], logits, atol=1e-12)
        assert histories == alone[one][1] | alone[other][1]
        assert losses == alone[one][2] | alone[other][2]


def test_extra_inputs_stand_behind_the_context_in_the_order_of_the_terms():
    pair = ("target_bridging", "recurrent_attention")
    system = System("d2", pair, options={"recurrent_attention": {"memory_in_context": True}})
    turned = system._replace(terms=pair[::-1])
    params = random_params(system, 3)
    c, x, d = np.split(params["gru_2.W"], [2 * H, 2 * H + E], axis=1)
    expected = run_all(system, params).logits
    other_order = run_all(turned, params | {"gru_2.W": np.hstack([c, d, x])}).logits
    np.testing.assert_allclose(other_order, expected, atol=1e-13)
    assert np.abs(run_all(turned, params).logits - expected).max() > 1e-3


@pytest.mark.parametrize("cell", ["d1", "d2"])
@pytest.mark.parametrize("case", CASES)
def test_silenced_terms_leave_the_baseline(cell, case):
    system = system_of(case, cell)
    params = random_params(system, 4)
    expected = logits_of_baseline(system, params)
    np.testing.assert_allclose(run_all(system, silenced(system, params)).logits, expected, atol=1e-12)
    apart = np.abs(run_all(system, params).logits - expected).max()
    assert (apart < 1e-12) if CASES[case][0] in ONLY_A_LOSS else (apart > 1e-3)


@pytest.mark.parametrize("case", CASES)
def test_whether_the_first_step_is_the_baselines(case):
    """With the bias of distortion's GRU at 0, without which g_1 is not 0."""
    system = system_of(case)
    params = random_params(system, 5)
    params |= {key: 0 * params[key] for key in params if key == "implicit_distortion.gru.b"}
    apart = np.abs(run_all(system, params).logits - logits_of_baseline(system, params)).max(1)
    assert (apart[0] > 1e-4) == case.startswith(tuple(NOT_EMPTY_AT_FIRST))
    assert (apart[1:] > 1e-4).all() != (system.terms[0] in ONLY_A_LOSS)


@pytest.mark.parametrize("case", CASES)
def test_the_future_of_the_target_is_not_seen(case):
    system = system_of(case)
    params = random_params(system, 6)
    whole = run(system, params, SOURCE, PREVIOUS)
    beginning = run(system, params, SOURCE, PREVIOUS[:2])
    np.testing.assert_array_equal(beginning.logits, whole.logits[:2])
    for name, history in whole.histories.items():
        np.testing.assert_array_equal(beginning.histories[name][:2], history[:2])


@pytest.mark.parametrize("case", CASES)
def test_the_target_changes_only_losses_and_the_last_state(case):
    system = system_of(case)
    params = random_params(system, 7)
    without, with_target = run(system, params, SOURCE, PREVIOUS), run_all(system, params)
    np.testing.assert_array_equal(without.logits, with_target.logits)
    assert without.losses == {}
    for name, history in with_target.histories.items():
        lazy = name.startswith("coverage_embedding")
        np.testing.assert_array_equal(without.histories[name][:-1], history[:-1])
        np.testing.assert_array_equal(without.histories[name][-1], history[-2 if lazy else -1])
        assert not lazy or np.abs(history[-1] - history[-2]).max() > 1e-3


@pytest.mark.parametrize("case", CASES)
def test_the_complex_step_agrees_with_central_differences(case):
    """In each of the term's parameters by itself and in all of the system's together."""
    system = system_of(case)
    params, direction, f = random_params(system, 8), random_params(system, 9), partial(objective, system)
    own = [key for key in params if key.startswith(f"{system.terms[0]}.")]
    for moved in [list(params), *([key] for key in own)]:
        along = {key: direction[key] for key in moved}
        up, down = (f(params | {key: params[key] + t * along[key] for key in moved}) for t in (1e-5, -1e-5))
        slope = directional(f, params, along)
        assert slope == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-8)
        assert abs(slope) > 1e-9


def test_every_parameter_of_all_terms_together_takes_part():
    """On D1, with the maxout readout."""
    system = System("d1", EVERY_TERM, "maxout", {"implicit_fertility": {"fertdec_eta": 0.5}})
    params, direction, f = random_params(system, 10), random_params(system, 11), partial(objective, system)
    slopes = {key: directional(f, params, {key: direction[key]}) for key in params}
    assert [key for key, slope in slopes.items() if abs(slope) < 1e-9] == []
    up, down = (f({key: params[key] + t * direction[key] for key in params}) for t in (1e-6, -1e-6))
    assert sum(slopes.values()) == pytest.approx((up - down) / 2e-6, rel=1e-5)


@pytest.mark.parametrize(
    ("case", "coefficient"),
    [
        ("coverage_embedding_gru", "covemb_gru_lambda"),
        ("coverage_embedding_sub", "covemb_sub_lambda"),
        ("direct_bridging", "bridge_lambda"),
        ("global_fertility", "fertility_lambda"),
        ("implicit_fertility", "fertdec_eta"),
        ("supervised_attention", "alignment_lambda"),
    ],
)
def test_coefficients_scale_the_loss(case, coefficient):
    others = {"covemb_objective": "final"} if case.startswith("coverage") else {}
    one, three = (of_term(case, **others, **{coefficient: value}) for value in (1.0, 3.0))
    params = random_params(one, 12)
    assert loss_of(three, params) == pytest.approx(3 * loss_of(one, params), rel=1e-13)
    assert abs(loss_of(one, params)) > 1e-3


@pytest.mark.parametrize(
    ("case", "defaults"),
    [
        ("coverage_embedding_gru final 0.1", 1e-4 / 0.1),
        ("coverage_embedding_sub final 0.1", 1e-2 / 0.1),
        ("direct_bridging 0.5", 1 / 0.5),
    ],
)
def test_default_coefficients_are_the_papers(case, defaults):
    system = system_of(case)
    name, options = CASES[case]
    kept = {key: value for key, value in options.items() if not key.endswith("_lambda")}
    params = random_params(system, 13)
    assert loss_of(of_term(name, **kept), params) == pytest.approx(defaults * loss_of(system, params), rel=1e-12)


@pytest.mark.parametrize("name", EVERY_TERM)
def test_which_terms_have_a_loss_by_default(name):
    system = System("d2", (name,))
    assert set(run_all(system, random_params(system, 14)).losses) == ({name} & ONLY_A_LOSS)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("supervised_attention", {}, "supervised_attention needs links"),
        ("coverage_embedding_sub", {"covemb_objective": "supervised"}, "needs links"),
        ("nn_coverage_gru", {"nn_coverage_state": "next"}, "not in tuple"),
        ("coverage_embedding_gru", {"covemb_objective": "first"}, "not in tuple"),
        ("implicit_distortion", {"recatt": "lstm"}, "not in tuple"),
        ("supervised_attention", {"alignment_unaligned": "keep"}, "not in tuple"),
    ],
)
def test_refused_terms(name, options, message):
    system = of_term(name, **options)
    with pytest.raises(ValueError, match=message):
        run(system, random_params(of_term(name), 15), SOURCE, PREVIOUS, TARGET)


def test_the_target_has_to_be_what_was_fed():
    with pytest.raises(ValueError, match="one step later"):
        run(System("d2"), random_params(System("d2"), 16), SOURCE, PREVIOUS, [5, 3, 3, 2])


# Coverage (Tu et al. 2016)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_linguistic_coverage_is_the_attention_so_far(cell):
    system = of_term("linguistic_coverage", cell)
    result = run_all(system, random_params(system, 20))
    C = result.histories["linguistic_coverage"][:, :, 0]
    np.testing.assert_allclose(C.sum(1), np.arange(T + 1), atol=1e-14)
    np.testing.assert_allclose(C[1:], np.cumsum(result.weights, 0), atol=1e-14)
    assert (C[0] == 0).all() and C.max() <= T


def test_subtracted_coverage_is_what_is_left_of_one():
    system = of_term("linguistic_coverage", linguistic_coverage_mode="subtract")
    result = run_all(system, random_params(system, 20))
    C = result.histories["linguistic_coverage"][:, :, 0]
    np.testing.assert_allclose(C, 1 - np.vstack([np.zeros(S), np.cumsum(result.weights, 0)]), atol=1e-14)


@pytest.mark.parametrize(("N", "bias"), [(2.0, False), (3.0, True)])
def test_coverage_with_fertility_is_the_attention_so_far_by_phi(N, bias):
    name = "linguistic_coverage_fertility"
    system = of_term(name, max_fertility=N, fertility_bias=bias)
    params = random_params(system, 21)
    result = run_all(system, params)
    phi = N * sigmoid(result.annotations @ params[f"{name}.U_f"][0] + (params[f"{name}.b_f"] if bias else 0.0))
    C, so_far = result.histories[name][1:, :, 0], np.cumsum(result.weights, 0)
    np.testing.assert_allclose(C, so_far / phi, atol=1e-14)
    assert (so_far / N < C).all()
    assert len({round(value, 6) for value in phi}) == S


def test_nn_coverage_tanh_by_hand():
    p = {"U": [[2.0]], "p": [3.0], "A": [[5.0, 0.0]], "B": [[7.0]], "b": [0.5]}
    term = NnCoverageTanh({name: np.array(value) for name, value in p.items()})
    C_i = term.covered(np.array([0.1]), 0.25, np.array([0.01, 9.0]), np.array([-0.1]))
    assert C_i == pytest.approx(math.tanh(0.2 + 0.75 + 0.05 - 0.7 + 0.5), abs=1e-15)


def test_nn_coverage_gru_by_hand():
    """r = 1/4, z = 1/2 through the biases, candidate 0.1 + 0.2 + 0.3 + 1/4 * 2 * 0.4; z keeps."""
    b = [math.log(1 / 3), 0.0, 0.0]
    p = {"U": [[0], [0], [2.0]], "p": [0, 0, 1.0], "A": [[0], [0], [1.0]], "B": [[0], [0], [1.0]], "b": b}
    term = NnCoverageGru({name: np.array(value, float) for name, value in p.items()})
    C_i = term.covered(np.array([0.4]), 0.1, np.array([0.2]), np.array([0.3]))
    assert C_i == pytest.approx(0.5 * 0.4 + 0.5 * math.tanh(0.8), abs=1e-15)


def test_nn_coverage_gru_is_torchs_cell_on_its_three_inputs():
    rng = np.random.default_rng(22)
    shapes_of = {"U": (6, 2), "p": 6, "A": (6, 8), "B": (6, 4), "b": 6}
    p = {name: rng.normal(size=shape) for name, shape in shapes_of.items()}
    C, alpha, h, s = rng.normal(size=2), 0.3, rng.normal(size=8), rng.normal(size=4)
    cell = torch.nn.GRUCell(1 + 8 + 4, 2, dtype=torch.float64)
    cell.weight_ih.data = torch.from_numpy(np.hstack([p["p"][:, None], p["A"], p["B"]]))
    cell.weight_hh.data, cell.bias_ih.data = torch.from_numpy(p["U"]), torch.from_numpy(p["b"])
    cell.bias_hh.data.zero_()
    expected = cell(torch.tensor([alpha, *h, *s], dtype=torch.float64), torch.from_numpy(C)).detach().numpy()
    np.testing.assert_allclose(NnCoverageGru(p).covered(C, alpha, h, s), expected, atol=1e-15)


def test_nn_coverage_gru_reset_before_scales_the_state():
    """r = (1/2, 1/4), z takes the candidate: U (r * C) = 2 * 1/4 before, r * (U C) = 1/2 * 2 after."""
    U = np.zeros((6, 2))
    U[4] = [0.0, 2.0]
    b = np.array([0.0, -math.log(3), -40, -40, 0, 0])
    p = {"U": U, "p": np.zeros(6), "A": np.zeros((6, 1)), "B": np.zeros((6, 1)), "b": b}
    one = np.ones(1)
    for reset_before, expected in ((False, 1.0), (True, 0.5)):
        C_i = NnCoverageGru(p, gru_reset_before=reset_before).covered(np.array([7.0, 1.0]), 0.5, one, one)
        np.testing.assert_allclose(C_i, [math.tanh(expected), 0], atol=1e-15)


@pytest.mark.parametrize("name", ["nn_coverage_tanh", "nn_coverage_gru"])
@pytest.mark.parametrize("cell", ["d1", "d2"])
@pytest.mark.parametrize("state", ["prev", "query"])
def test_which_state_neural_coverage_sees(name, cell, state):
    """With every other input cut off, C_ij = tanh(tiny B s) for all j. On D1 the query is s_{i-1}."""
    system = of_term(name, cell, nn_coverage_state=state)
    params, tiny, B = random_params(system, 23), 1e-9, np.arange(1.0, 1 + D * H).reshape(D, H)
    params |= {f"{name}.{key}": 0 * params[f"{name}.{key}"] for key in ("U", "p", "A", "B", "b")}
    params[f"{name}.B"][-D:] = tiny * B
    if name == "nn_coverage_gru":
        params[f"{name}.b"][D : 2 * D] = -60
    result = run_all(system, params)
    seen = {"prev": result.states[:-1], "query": result.queries}[state] @ B.T
    for j in range(S):
        np.testing.assert_allclose(result.histories[name][1:, j] / tiny, seen, rtol=1e-12)


# Coverage embeddings (Mi et al. 2016)

GRU, SUB = "coverage_embedding_gru", "coverage_embedding_sub"


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_subtraction_has_a_closed_form(cell):
    """c_tj = K[x_j] - sum_{k<=t} alpha_kj W E_y(y_k), with y_k the word that alpha_k predicted."""
    system = of_term(SUB, cell)
    params = random_params(system, 30)
    result = run_all(system, params)
    full, consumed = params[f"{SUB}.K"][SOURCE], params["E_y"][TARGET] @ params[f"{SUB}.W_yc"].T
    for t in range(T + 1):
        expected = full - np.einsum("kj,kd->jd", result.weights[:t], consumed[:t])
        np.testing.assert_allclose(result.histories[SUB][t], expected, atol=1e-14)
        left = (full - result.histories[SUB][t]).sum(0)
        np.testing.assert_allclose(left, consumed[:t].sum(0), atol=1e-13)


def test_two_occurrences_of_a_word_start_equal_and_then_differ():
    for name in (GRU, SUB):
        system = of_term(name)
        history = run_all(system, random_params(system, 31)).histories[name]
        assert SOURCE[1] == SOURCE[3]
        np.testing.assert_array_equal(history[0, 1], history[0, 3])
        assert (np.abs(history[1:, 1] - history[1:, 3]).max(1) > 1e-4).all()


@pytest.mark.parametrize(
    ("name", "term", "moves"), [(GRU, CoverageEmbeddingGru, True), (SUB, CoverageEmbeddingSub, False)]
)
def test_which_coverage_moves_without_attention(name, term, moves):
    rng = np.random.default_rng(32)
    c_j, y = rng.normal(size=D), rng.normal(size=E)
    unattended = term(part(random_params(of_term(name), 32), name)).consumed(c_j, 0.0, y)
    assert (np.abs(unattended - c_j).max() > 1e-3) == moves


def test_coverage_by_gru_by_hand():
    """z = 1/2, r = 1/4 through the biases; candidate 2 y + 3 alpha + 1/4 * 4 c; z keeps."""
    p = {"W": [[0], [0], [2.0]], "w_a": [0, 0, 3.0], "U": [[0], [0], [4.0]], "b": [math.log(1 / 3), 0, 0]}
    term = CoverageEmbeddingGru({name: np.array(value, float) for name, value in p.items()})
    c = term.consumed(np.array([0.3]), 0.1, np.array([-0.2]))
    assert c == pytest.approx(0.15 + 0.5 * math.tanh(-0.4 + 0.3 + 0.3), abs=1e-15)


def test_coverage_by_gru_is_one_step_of_the_gru_after_each_word():
    system = of_term(GRU)
    params = random_params(system, 33)
    result = run_all(system, params)
    p = part(params, GRU)
    joined = {"W": np.hstack([p["W"], p["w_a"][:, None]]), "U": p["U"], "b": p["b"]}
    c = result.histories[GRU]
    np.testing.assert_array_equal(c[0], p["K"][SOURCE])
    for t in range(T):
        for j in range(S):
            u = np.append(params["E_y"][TARGET[t]], result.weights[t, j])
            np.testing.assert_allclose(c[t + 1, j], gru(u, c[t, j], joined), atol=1e-14)


def test_coverage_by_gru_stays_zero_where_nothing_enters():
    system = of_term(GRU)
    params = random_params(system, 34)
    params |= {f"{GRU}.{key}": 0 * params[f"{GRU}.{key}"] for key in ("K", "W", "w_a", "b")}
    assert np.abs(run_all(system, params).histories[GRU]).max() == 0


def test_norms_by_hand():
    assert l1(np.array([3.0, -4.0])) == 7
    assert l1(np.array([3 + 1j, -4 + 2j])) == 7 - 1j
    assert l2(np.array([3.0, -4.0])) == pytest.approx(5, abs=1e-12)
    assert l2(np.zeros(2)) == pytest.approx(1e-6, abs=1e-18)


def test_the_last_word_linked_with_each_source_word():
    np.testing.assert_array_equal(last_links(LINKS), [2, 2, 4, 1, 4])
    with_link_of_eos = LINKS.copy()
    with_link_of_eos[:, -1] = [1, 0, 0, 0]
    assert last_links(with_link_of_eos)[-1] == T


@pytest.mark.parametrize("name", [GRU, SUB])
@pytest.mark.parametrize("norm", [1, 2])
def test_objectives_are_norms_of_the_states(name, norm):
    """Eq. 6 the last ones, Eq. 7 all from a_j on, so never less."""
    coefficient = {GRU: "covemb_gru_lambda", SUB: "covemb_sub_lambda"}[name]
    losses = {}
    for kind in ("final", "supervised"):
        system = of_term(name, covemb_objective=kind, covemb_norm=norm, **{coefficient: 1.0})
        params = random_params(system, 35)
        result = run_all(system, params)
        losses[kind] = result.losses[name]
    norms = np.linalg.norm(result.histories[name], ord=norm, axis=2)
    assert losses["final"] == pytest.approx(norms[T].sum(), abs=1e-9)
    from_the_last_link = [norms[a:, j].sum() for j, a in enumerate([2, 2, 4, 1, 4])]
    assert losses["supervised"] == pytest.approx(sum(from_the_last_link), abs=1e-9)
    assert all(many >= one for many, one in zip(from_the_last_link, norms[T], strict=True))
    assert losses["supervised"] > losses["final"] + 0.1


def test_links_at_the_end_alone_make_both_objectives_one():
    at_the_end = np.zeros((T, S))
    at_the_end[-1] = 1
    final, supervised = (of_term(SUB, covemb_objective=kind) for kind in ("final", "supervised"))
    params = random_params(final, 36)
    losses = [run(s, params, SOURCE, PREVIOUS, TARGET, at_the_end).losses[SUB] for s in (final, supervised)]
    assert losses[0] == losses[1] > 0


def test_two_coverage_embeddings_have_two_losses():
    options = {name: {"covemb_objective": "final"} for name in (GRU, SUB)}
    system = System("d2", (GRU, SUB), options=options)
    losses = run_all(system, random_params(system, 37)).losses
    assert losses[GRU] > 0 and losses[SUB] > 0 and losses[GRU] != losses[SUB]


# Bridging (Kuang et al. 2018)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_source_bridging_puts_the_embedding_behind_the_annotation(cell):
    system = System(cell, ("source_bridging", "source_history"))
    params = random_params(system, 40)
    result = run_all(system, params)
    np.testing.assert_array_equal(result.annotations[:, -E:], params["E_x"][SOURCE])
    plain = run(*without_terms(system, params), SOURCE, PREVIOUS)
    np.testing.assert_array_equal(result.annotations[:, :-E], plain.annotations)
    assert result.contexts.shape == (T, 2 * H + E)
    if cell == "d2":  # its start sees the whole annotation; D1's only hb_1
        start = np.tanh(params["W_init"] @ result.annotations.mean(0) + params["b_init"])
        np.testing.assert_allclose(result.states[0], start, atol=1e-14)
    else:
        np.testing.assert_array_equal(result.states[0], plain.states[0])


def test_target_bridging_hands_over_the_embedding_of_the_most_attended_word():
    """With GRU_2 giving back tiny * extra: s_i is a row of E_x, that of the largest weight."""
    system, tiny = of_term("target_bridging"), 1e-9
    gain = np.hstack([np.zeros((H, 2 * H)), tiny * np.eye(H, E)])
    params = handing_through(random_params(system, 41), gain)
    params["v"] = 5 * params["v"]
    result = run_all(system, params)
    chosen = result.weights.argmax(1)
    np.testing.assert_allclose(result.states[1:, :E] / tiny, params["E_x"][np.array(SOURCE)[chosen]], rtol=1e-12)
    assert len(set(chosen)) > 1
    params["v"] = 0 * params["v"]  # all weights equal: the first word
    equal = run_all(system, params).states[1:, :E] / tiny
    np.testing.assert_allclose(equal, np.tile(params["E_x"][SOURCE[0]], (T, 1)), rtol=1e-12)


def test_target_bridging_on_d1_enters_every_gate_beside_the_context():
    """A source of one word: c_i = h_1 and the extra input E_x(x_1) are known, and the cell is the widened one."""
    system = of_term("target_bridging", "d1")
    params = random_params(system, 42)
    result = run(system, params, [2], [2])
    y, s, c = params["E_y"][2], result.states[0], np.append(result.annotations[0], params["E_x"][2])
    W, U, C, b = (params[f"gru.{key}"] for key in "WUCb")
    gates = sigmoid(W[: 2 * H] @ y + U[: 2 * H] @ s + C[: 2 * H] @ c + b[: 2 * H])
    n = np.tanh(W[2 * H :] @ y + U[2 * H :] @ (gates[:H] * s) + C[2 * H :] @ c + b[2 * H :])
    np.testing.assert_allclose(result.states[1], (1 - gates[H:]) * s + gates[H:] * n, atol=1e-14)


@pytest.mark.parametrize("soft", [False, True])
def test_direct_bridging_without_its_matrix_is_the_size_of_the_target(soft):
    system = of_term("direct_bridging", bridge_soft=soft)
    params = random_params(system, 43)
    params["direct_bridging.W"] *= 0
    assert loss_of(system, params) == pytest.approx((params["E_y"][TARGET] ** 2).sum(), rel=1e-14)


def test_direct_bridging_from_the_weights():
    """On every kind of attended embedding; E_y(y_i) is the word that is being predicted."""
    params = random_params(of_term("direct_bridging"), 44)
    W, y, x = params["direct_bridging.W"], params["E_y"][TARGET], params["E_x"][SOURCE]
    weights = run_all(of_term("direct_bridging"), params).weights
    for soft, attended in ((False, x[weights.argmax(1)]), (True, weights @ x)):
        expected = ((attended @ W.T - y) ** 2).sum()
        assert loss_of(of_term("direct_bridging", bridge_soft=soft), params) == pytest.approx(expected, rel=1e-13)


def test_the_choice_of_the_bridged_word_has_no_gradient_but_a_mixture_has():
    """U_a reaches the loss through the weights alone."""
    for soft in (False, True):
        system = of_term("direct_bridging", bridge_soft=soft)
        params, direction = random_params(system, 45), random_params(system, 46)
        slope = directional(partial(loss_of, system), params, {"U_a": direction["U_a"]})
        assert (abs(slope) > 1e-6) == soft


@pytest.mark.parametrize(
    ("stopgrad", "learning"),
    [("none", {"E_x", "E_y", "W"}), ("target", {"E_x", "W"}), ("source", {"E_y", "W"})],
)
def test_what_learns_from_the_bridge(stopgrad, learning):
    """The embeddings reach the hard loss only as themselves, because the choice has no gradient."""
    system = of_term("direct_bridging", bridge_stopgrad=stopgrad)
    params, direction = random_params(system, 47), random_params(system, 48)
    assert loss_of(system, params) == loss_of(of_term("direct_bridging"), params)
    f = partial(loss_of, system)
    keys = {"E_x": "E_x", "E_y": "E_y", "W": "direct_bridging.W"}
    slopes = {name: directional(f, params, {key: direction[key]}) for name, key in keys.items()}
    assert {name for name, slope in slopes.items() if abs(slope) > 1e-6} == learning
    through = partial(loss_of, of_term("direct_bridging"))
    for name in learning:
        assert slopes[name] == pytest.approx(directional(through, params, {keys[name]: direction[keys[name]]}))


# Structural biases (Cohn et al. 2016)


def test_position_features_by_hand():
    term = PositionBias({"W_p": np.eye(3)})
    term.start(Sentence([9, 9, 9, 2], np.zeros((4, E)), [np.zeros(2)] * 4))
    term.prepare(2)
    np.testing.assert_allclose(term.energy(0), [math.log(3), math.log(2), math.log(5)], atol=1e-15)
    np.testing.assert_allclose(term.energy(3), [math.log(3), math.log(5), math.log(5)], atol=1e-15)
    term.prepare(1)
    np.testing.assert_allclose(term.energy(0), [math.log(2), math.log(2), math.log(5)], atol=1e-15)


@pytest.mark.parametrize(
    ("j", "k", "expected"),
    [(0, 1, [0, 1, 2]), (1, 1, [1, 2, 3]), (2, 1, [2, 3, 0]), (1, 0, [2]), (0, 3, [0, 0, 0, 1, 2, 3, 0])],
)
def test_windows_are_zero_beyond_the_ends(j, k, expected):
    np.testing.assert_array_equal(window([1.0, 2.0, 3.0], j, k), expected)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_markov_sees_the_last_weights_and_local_fertility_their_sum(cell):
    system = System(cell, ("markov_bias", "local_fertility_bias"))
    result = run_all(system, random_params(system, 50))
    last, so_far = (result.histories[name][:, :, 0] for name in system.terms)
    np.testing.assert_array_equal(last, np.vstack([np.zeros(S), result.weights]))
    np.testing.assert_allclose(so_far, np.vstack([np.zeros(S), np.cumsum(result.weights, 0)]), atol=1e-15)
    np.testing.assert_allclose(so_far.sum(1), np.arange(T + 1), atol=1e-14)


@pytest.mark.parametrize(("name", "W"), [("markov_bias", "W_m"), ("local_fertility_bias", "W_f")])
def test_weights_around_a_word_enter_its_energy(name, W):
    """With nothing else inside the tanh: e_ij = v^T tanh(W xi(a, j)) from the weights of the steps before."""
    system = of_term(name)
    params = random_params(system, 51)
    params |= {key: 0 * params[key] for key in ("W_a", "U_a", "b_a")}
    weights = run_all(system, params).weights
    np.testing.assert_allclose(weights[0], 1 / S, atol=1e-15)
    for i in range(1, T):
        a = weights[i - 1] if name == "markov_bias" else weights[:i].sum(0)
        padded = np.pad(a, 1)
        around = np.array([padded[:-2], padded[1:-1], padded[2:]])
        e = params["v"] @ np.tanh(params[f"{name}.{W}"] @ around)
        np.testing.assert_allclose(weights[i], np.exp(e) / np.exp(e).sum(), atol=1e-14)
    assert np.abs(weights[2] - 1 / S).max() > 1e-3


def test_global_fertility_by_hand():
    """mu = 1 and var = e^2 for every word: each f_j costs (f_j - 1)^2 / (2 e^2) + log(2 pi) / 2 + 1, but for eos."""
    system = of_term("global_fertility", fertility_lambda=0.5, fertility_penalty=0.25)
    params = random_params(system, 52)
    params |= {f"global_fertility.{key}": 0 * params[f"global_fertility.{key}"] for key in ("w_mu", "w_v")}
    params |= {"global_fertility.b_mu": np.array([1.0]), "global_fertility.b_v": np.array([2.0])}
    params["v"] = 0 * params["v"]  # every weight 1/5, so f_j = 4/5
    surprise = 0.04 / (2 * math.exp(2)) + math.log(2 * math.pi) / 2 + 1
    assert loss_of(system, params) == pytest.approx(4 * (0.5 * surprise + 0.25 * 0.04), rel=1e-14)


def test_global_fertility_is_normal():
    system = of_term("global_fertility")
    params = random_params(system, 53)
    result = run_all(system, params)
    p, total = part(params, "global_fertility"), 0.0
    for h_j, f_j in zip(result.annotations[:-1], result.weights.sum(0)[:-1], strict=True):
        hid = np.tanh(p["W_h"] @ h_j + p["b_h"])
        mu, var = p["w_mu"] @ hid + p["b_mu"].item(), math.exp(p["w_v"] @ hid + p["b_v"].item())
        total -= math.log(NormalDist(mu, math.sqrt(var)).pdf(f_j))
    assert result.losses["global_fertility"] == pytest.approx(total, rel=1e-12)


# Recurrent attention (Yang et al. 2016)


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
    for attribute, key in (("weight_ih", "W"), ("weight_hh", "U"), ("bias_ih", "b")):
        getattr(theirs, attribute).data = torch.from_numpy(params[f"{name}.{key}"])
    theirs.bias_hh.data.zero_()
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


# Implicit distortion and fertility (Feng et al. 2016)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_distortion_follows_the_contexts(cell):
    """g_i = GRU(c_{i-1}, g_{i-1}) from c_0 = g_0 = 0, or c_{i-1} itself."""
    name = "implicit_distortion"
    system = of_term(name, cell)
    params = random_params(system, 57)
    result = run_all(system, params)
    theirs = torch.nn.GRUCell(2 * H, H, dtype=torch.float64)
    for attribute, key in (("weight_ih", "W"), ("weight_hh", "U"), ("bias_ih", "b")):
        getattr(theirs, attribute).data = torch.from_numpy(params[f"{name}.gru.{key}"])
    theirs.bias_hh.data.zero_()
    g, c = torch.zeros(H, dtype=torch.float64), np.zeros(2 * H)
    for i in range(T):
        g = theirs(torch.from_numpy(c), g)
        np.testing.assert_allclose(result.histories[name][i + 1], [g.detach().numpy()], atol=1e-14)
        c = result.contexts[i]
    plain = of_term(name, cell, recatt="context")
    result = run_all(plain, random_params(plain, 57))
    expected = np.vstack([np.zeros((2, 2 * H)), result.contexts[:-1]])
    np.testing.assert_array_equal(result.histories[name][:, 0], expected)


def test_distortion_changes_energies_as_a_query_does():
    """V_g c_{i-1} is added beside W_a q_i: at the second step it is the baseline's with b_a = V_g c_1."""
    system = of_term("implicit_distortion", recatt="context")
    params = random_params(system, 58)
    result = run_all(system, params)
    first = run(*without_terms(system, params), SOURCE, PREVIOUS)
    np.testing.assert_allclose(result.queries[1], first.queries[1], atol=1e-14)
    inside = params["W_a"] @ result.queries[1] + params["b_a"] + params["implicit_distortion.V_g"] @ result.contexts[0]
    e = np.tanh(inside + result.annotations @ params["U_a"].T) @ params["v"]
    np.testing.assert_allclose(result.weights[1], np.exp(e) / np.exp(e).sum(), atol=1e-14)


@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_fertility_runs_out(cell):
    """d_0 = tanh(W_d mean h + b_d); d_i / d_{i-1} is the extract gate, so |d_i| never grows."""
    name = "implicit_fertility"
    system = of_term(name, cell)
    params = random_params(system, 59)
    result = run_all(system, params)
    p, d = part(params, name), result.histories[name][:, 0]
    np.testing.assert_allclose(d[0], np.tanh(p["W_d"] @ result.annotations.mean(0) + p["b_d"]), atol=1e-14)
    assert (np.abs(d[1:]) <= np.abs(d[:-1])).all()
    y = params["E_y"][PREVIOUS]
    gate = sigmoid(y @ p["W_x"].T + result.queries @ p["U_x"].T + result.contexts @ p["C_x"].T + p["b_x"])
    np.testing.assert_allclose(d[1:] / d[:-1], gate, rtol=1e-12)


@pytest.mark.parametrize(("cell", "unit", "takes"), [("d1", "gru", 60.0), ("d2", "gru_2", -60.0)])
def test_fertility_stands_inside_the_candidate(cell, unit, takes):
    """A cell that takes only its candidate, of which nothing else is left: s_i = tanh(V_d d_i)."""
    system = of_term("implicit_fertility", cell)
    params = random_params(system, 60)
    params |= {key: 0 * array for key, array in params.items() if key.startswith(f"{unit}.")}
    params[f"{unit}.b"][H : 2 * H] = takes
    result = run_all(system, params)
    d = result.histories["implicit_fertility"][1:, 0]
    np.testing.assert_allclose(result.states[1:], np.tanh(d @ params["implicit_fertility.V_d"].T), atol=1e-14)


def test_what_is_left_of_fertility_is_lost():
    system = of_term("implicit_fertility", fertdec_eta=0.5)
    result = run_all(system, random_params(system, 61))
    left = np.linalg.norm(result.histories["implicit_fertility"][T, 0])
    assert result.losses["implicit_fertility"] == pytest.approx(0.5 * left, abs=1e-9)


# Supervised attention (Mi et al. 2016a; Liu et al. 2016)


def supervision(alpha: np.ndarray, links: np.ndarray, **options: object) -> complex | float:
    target = Target(np.zeros((len(alpha), E)), np.array(alpha, float), np.array(links))
    return SupervisedAttention({}, **options).loss(target)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # alpha_1 = (1/2, 1/4, 1/4) with links on the first two, alpha_2 = (1/8, 1/8, 3/4) with the eos alone
        ("ce", 0.5 * math.log(2) + 0.5 * math.log(4) - math.log(0.75)),
        ("mse", 0.5 * (0 + 1 / 16 + 1 / 16) + 0.5 * (1 / 64 + 1 / 64 + 1 / 16)),
        ("mul", -math.log(3 / 8) - math.log(0.75)),
    ],
)
def test_alignment_losses_by_hand(kind, expected):
    alpha, links = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]], [[1, 1, 0], [0, 0, 1]]
    assert supervision(alpha, links, alignment_loss=kind) == pytest.approx(expected, abs=1e-6)
    assert supervision(alpha, links, alignment_loss=kind, alignment_lambda=2.0) == pytest.approx(2 * expected, abs=1e-6)


def test_weights_that_are_the_alignment_cost_its_entropy():
    links = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]])
    wanted = links / links.sum(1, keepdims=True)
    assert supervision(wanted, links) == pytest.approx(math.log(2) + math.log(3), abs=1e-6)
    assert supervision(wanted, links, alignment_loss="mse") == 0
    assert supervision(wanted[::-1], links) > 5
    assert supervision(wanted[::-1], links, alignment_loss="mse") > 0.5


def test_nothing_attended_of_what_is_linked_costs_the_epsilon():
    assert supervision([[0.0, 1.0]], [[1, 0]]) == pytest.approx(-math.log(1e-8))
    assert supervision([[0.0, 1.0]], [[1, 0]], alignment_loss="mul") == pytest.approx(-math.log(1e-8))


def test_smoothed_alignments_by_hand():
    """sigma = 1, links on the first and the third of four words: each word has the sum of both bells."""
    near, far, farther = math.exp(-1 / 2), math.exp(-4 / 2), math.exp(-9 / 2)
    bells = np.array([1 + far, near + near, far + 1, farther + near])
    wanted, uneven, links = bells / bells.sum(), np.array([0.1, 0.2, 0.3, 0.4]), [[1, 0, 1, 0]]
    assert supervision([wanted], links, alignment_loss="mse", alignment_sigma=1.0) == pytest.approx(0, abs=1e-30)
    cross_entropy = -(wanted * np.log(uneven)).sum()
    assert supervision([uneven], links, alignment_sigma=1.0) == pytest.approx(cross_entropy, abs=1e-6)


@pytest.mark.parametrize(
    ("unaligned", "expected"),
    [("exclude", [math.log(2), math.log(10)]), ("inherit", [math.log(2), math.log(5), math.log(4), math.log(10)])],
)
def test_unaligned_words_are_left_out_or_inherit(unaligned, expected):
    """The first word has nothing to inherit; two in a row inherit the same."""
    alpha = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.25, 0.75], [0.9, 0.1]]
    links = [[0, 0], [1, 0], [0, 0], [0, 0], [0, 1]]
    assert supervision(alpha, links, alignment_unaligned=unaligned) == pytest.approx(sum(expected), abs=1e-6)


def test_supervision_in_the_loop_is_that_of_the_weights():
    system = System("d2", ("supervised_attention",))
    result = run_all(system, random_params(system, 62))
    assert result.losses["supervised_attention"] == pytest.approx(supervision(result.weights, LINKS), rel=1e-14)
