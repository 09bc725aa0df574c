"""What holds for every system whose terms remember what has been attended."""

import pytest
from torch import Tensor

from fairseq_plugins.core.tree import tree_map
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from stages.settings.variants import VariantModel
from tests.helpers import invariants
from tests.helpers.shared_weights import assert_same, base_of, silence
from tests.helpers.support import BATCH, build, forward, random_batch
from tests.helpers.terms.attention_so_far import (
    POSITION,
    SYSTEMS,
    System,
    cases,
    close,
    of,
    walk,
)

START_AT_ZERO = [name for name in SYSTEMS if "counting down" not in name and name not in POSITION]


@cases({name: SYSTEMS[name] for name in START_AT_ZERO})
def test_the_first_step_is_the_base_and_the_second_is_not(system):
    model = system.model()
    several = (BATCH.target_lengths > 1) & (BATCH.lengths > 1)
    for actual, expected in zip(forward(model, BATCH), forward(base_of(model), BATCH), strict=True):
        close(actual[:, 0], expected[:, 0])
        assert (actual - expected)[several, 1].abs().amax(-1).min() > 1e-6


@cases(SYSTEMS)
def test_projections_at_zero_leave_the_base(system):
    model = system.model()
    silence(model)
    assert_same(model, base_of(model))


@cases(SYSTEMS)
def test_states_are_zero_at_padding_and_not_elsewhere(system):
    found = walk(system.model(), random_batch([5, 2, 4, 3], [4, 5, 1, 3], seed=7))
    padding = ~found.source.mask

    def check(state: Tensor) -> Tensor:
        if state.is_floating_point():  # a step counter has no source positions
            assert (state[padding] == 0).all()
            assert (state[~padding] != 0).all()
        return state

    for state in found.states[1:]:
        tree_map(check, state)


def added(E: int, H: int, A: int, R: int, D: int) -> dict[str, int]:
    """What a term adds to RNNsearch*, by the shapes of the specification; D is 3 for all of them."""
    C = 2 * H
    lstm = {k: A * D + 4 * (D * (2 * k + 1) + D * D + D) for k in (1, 5)}
    gru = A * D + 3 * (D * D + D + C * D + H * D + D)
    tanh = A * D + D * D + D + C * D + H * D + D
    return {
        "linguistic": A, "linguistic, counting down": A,
        "fertility": A + C, "fertility, counting down": A + C, "fertility up to 3": A + C,
        "fertility with a bias": A + C + 1,
        "tanh": tanh, "tanh of q_i": tanh, "gru": gru, "gru of q_i": gru, "gru, reset before": gru,
        "markov": 3 * A, "markov alone": A, "local fertility": 3 * A, "local fertility, wide": 5 * A,
        "position": 3 * A, "all biases": 9 * A,
        "recurrent": lstm[5], "recurrent, narrow": lstm[1],
        "recurrent, in context": lstm[5] + 3 * H * D + R * D,
    }  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_parameters_added_to_the_base(name):
    def size(system: System) -> int:
        return sum(parameter.numel() for parameter in system.model().parameters())

    assert size(SYSTEMS[name]) - size(of("rnnsearch_star")) == added(E=7, H=6, A=5, R=4, D=3)[name]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["linguistic_coverage", "linguistic_coverage_fertility"], "linguistic_coverage cannot stand beside"),
        (["linguistic_coverage_fertility", "linguistic_coverage"], "linguistic_coverage cannot stand beside"),
        (["nn_coverage_gru", "nn_coverage_tanh"], "nn_coverage_tanh cannot stand beside nn_coverage_gru"),
    ],
)
def test_terms_that_exclude_each_other(terms, message):
    with pytest.raises(ValueError, match=message):
        build(VariantModel(arch="attnmt", terms=terms))


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (of("coverage_linguistic_fertility", max_fertility=0.0), "max_fertility must be greater than 0, not 0"),
        (of("cohn_markov", cohn_window=-1), "cohn_window is -1; write a number from 0 to"),
        (
            of("recurrent_attention", recurrent_attention_window=-1),
            "recurrent_attention_window is -1; write a number from 0 to",
        ),
    ],
)
def test_refused_options(system, message):
    with pytest.raises(ValueError, match=message):
        system.model()


def test_all_that_can_stand_together_do():
    """Every term at once, in one attention: the states stay apart."""
    terms = ["linguistic_coverage", "nn_coverage_gru", "position_bias", "markov_bias", "local_fertility_bias"]
    model = build(VariantModel(arch="attnmt", terms=[*terms, "recurrent_attention"])).model
    invariants.step_by_step_is_one_pass(model)
    silence(model)
    assert_same(model, base_of(model))
