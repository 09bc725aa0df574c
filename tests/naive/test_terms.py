"""What holds for the reference implementation of every term."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

from tests.helpers.naive.one_term import PREVIOUS, SOURCE, TARGET, loss_of, of_term, run_all, without_terms
from tests.naive import Params, part
from tests.naive.gradient import directional
from tests.naive.interface import System
from tests.naive.shapes import E, H, random_params, shapes
from tests.naive.system import log_likelihood, run
from tests.naive.term import Term, term_class, term_names

EVERY_TERM = term_names()
NORMALISERS = [name for name in EVERY_TERM if term_class(name).normalises]
CASES = {
    " ".join([name, *map(str, options.values())]): (name, options)
    for name in EVERY_TERM
    for options in ({}, *term_class(name).variations)
}
on_both_cells = pytest.mark.parametrize(
    ("cell", "case"),
    [("d1", case) for case, (_, options) in CASES.items() if not options] + [("d2", case) for case in CASES],
)  # on D1 without options, which say nothing of the cell


def term_of(case: str) -> Term:
    """The term itself: what it says of itself under these options."""
    name, options = CASES[case]
    return term_class(name)(part(random_params(system_of(case), 0), name), **options)


def system_of(case: str, cell: str = "d2") -> System:
    name, options = CASES[case]
    return System(cell, (name,), options={name: options} if options else {})


def objective(system: System, params: Params) -> complex | float:
    result = run_all(system, params)
    return log_likelihood(result.logits, TARGET) + sum(result.losses.values())


def logits_of_baseline(system: System, params: Params) -> np.ndarray:
    return run(*without_terms(system, params), SOURCE, PREVIOUS).logits


def silenced(system: System, params: Params) -> Params:
    """With all that the terms add to the decoder multiplied by 0."""
    quiet = dict(params)
    for name, shape in shapes(System(system.cell)).items():
        quiet[name] = params[name].copy()
        quiet[name][..., shape[-1] :] = 0
    for term in system.terms:
        way_out = term_class(term).way_out
        quiet |= {f"{term}.{key}": 0 * array for key, array in part(params, term).items() if key in way_out}
    return quiet


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["d1", "d2"])
def test_any_two_terms_run_together(cell):
    """In either order they give the same, and neither changes what kind of thing the other one leaves behind."""

    def of(*terms: str) -> tuple[np.ndarray, dict[str, tuple[int, ...]], set[str]]:
        params = random_params(System(cell, tuple(sorted(terms))), 2)
        result = run(System(cell, terms), params, [3, 2], [2, 5], [5, 2], np.eye(2))
        return result.logits, {term: history.shape for term, history in result.histories.items()}, set(result.losses)

    alone = {name: of(name) for name in EVERY_TERM}
    for one, other in combinations(EVERY_TERM, 2):
        if {one, other} <= set(NORMALISERS):
            continue
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


@on_both_cells
def test_silenced_terms_leave_the_baseline(cell, case):
    """But for those in the place of the softmax, which no parameter silences."""
    system = system_of(case, cell)
    params = random_params(system, 4)
    expected = logits_of_baseline(system, params)
    if not term_of(case).normalises:
        np.testing.assert_allclose(run_all(system, silenced(system, params)).logits, expected, atol=1e-12)
    apart = np.abs(run_all(system, params).logits - expected).max()
    assert (apart < 1e-12) if term_of(case).only_a_loss else (apart > 1e-3)


@pytest.mark.parametrize("case", CASES)
def test_whether_the_first_step_is_the_baselines(case):
    """With the bias of distortion's GRU at 0, without which g_1 is not 0."""
    system = system_of(case)
    params = random_params(system, 5)
    params |= {key: 0 * params[key] for key in params if key == "implicit_distortion.gru.b"}
    apart = np.abs(run_all(system, params).logits - logits_of_baseline(system, params)).max(1)
    assert (apart[0] > 1e-4) != term_of(case).empty_at_first
    assert (apart[1:] > 1e-4).all() != term_of(case).only_a_loss


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("normaliser", [None, *NORMALISERS])
def test_every_parameter_of_all_terms_together_takes_part(normaliser):
    """On D1, with the maxout readout."""
    together = tuple(name for name in EVERY_TERM if name == normaliser or name not in NORMALISERS)
    options = {"implicit_fertility": {"fertdec_eta": 0.5}}
    if normaliser == "constrained_sparsemax":
        options[normaliser] = {"csparsemax_fertility": "predicted"}
    system = System("d1", together, "maxout", options)
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
        ("coverage_loss", "coverage_loss_lambda"),
        ("direct_bridging", "bridge_lambda"),
        ("global_fertility", "fertility_lambda"),
        ("implicit_fertility", "fertdec_eta"),
        ("supervised_attention", "alignment_lambda"),
    ],
)
def test_coefficients_scale_the_loss(case, coefficient):
    others = {"covemb_objective": "final"} if case.startswith("coverage_embedding") else {}
    one, three = (of_term(case, **others, **{coefficient: value}) for value in (1.0, 3.0))
    params = random_params(one, 12)
    assert loss_of(three, params) == pytest.approx(3 * loss_of(one, params), rel=1e-13)
    assert abs(loss_of(one, params)) > 1e-3


@pytest.mark.parametrize(
    ("case", "defaults"),
    [
        ("coverage_embedding_gru final 0.1", 1e-4 / 0.1),
        ("coverage_embedding_sub final 0.1", 1e-2 / 0.1),
        ("coverage_loss 0.5", 1 / 0.5),
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
    assert set(run_all(system, random_params(system, 14)).losses) == ({name} if term_class(name).only_a_loss else set())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("supervised_attention", {}, "supervised_attention needs links"),
        ("coverage_embedding_sub", {"covemb_objective": "supervised"}, "needs links"),
        ("nn_coverage_gru", {"nn_coverage_state": "next"}, "not in tuple"),
        ("coverage_embedding_gru", {"covemb_objective": "first"}, "not in tuple"),
        ("implicit_distortion", {"recatt": "lstm"}, "not in tuple"),
        ("supervised_attention", {"alignment_unaligned": "keep"}, "not in tuple"),
        ("constrained_sparsemax", {"csparsemax_fertility": "learned"}, "not in tuple"),
    ],
)
def test_refused_terms(name, options, message):
    system = of_term(name, **options)
    with pytest.raises(ValueError, match=message):
        run(system, random_params(of_term(name), 15), SOURCE, PREVIOUS, TARGET)


@pytest.mark.parametrize("pair", [*combinations(NORMALISERS, 2)])
def test_only_one_term_takes_the_place_of_the_softmax(pair):
    system = System("d2", pair)
    with pytest.raises(ValueError, match="2 terms take the place of the softmax"):
        run(system, random_params(system, 17), SOURCE, PREVIOUS)


def test_the_target_has_to_be_what_was_fed():
    with pytest.raises(ValueError, match="one step later"):
        run(System("d2"), random_params(System("d2"), 16), SOURCE, PREVIOUS, [5, 3, 3, 2])
