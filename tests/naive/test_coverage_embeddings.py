"""Coverage embeddings (Mi et al. 2016), their reference implementations: by hand and in closed form."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_term import LINKS, PREVIOUS, SOURCE, TARGET, S, T, of_term, run_all
from tests.naive import part
from tests.naive.coverage_embedding import last_links
from tests.naive.coverage_embedding_gru import CoverageEmbeddingGru
from tests.naive.coverage_embedding_sub import CoverageEmbeddingSub
from tests.naive.gru import gru
from tests.naive.interface import System
from tests.naive.norm import l1, l2
from tests.naive.shapes import D, E, random_params
from tests.naive.system import run

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
    """z = 1/2, r = 1/4 through the biases; candidate state 2 y + 3 alpha + 1/4 * 4 c; z keeps."""
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
