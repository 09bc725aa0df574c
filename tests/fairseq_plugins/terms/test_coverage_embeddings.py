"""Coverage embeddings (Mi et al. 2016): their updates and closed forms."""

import pytest
import torch

from stages.settings.training import ModelSizes
from tests.helpers import invariants
from tests.helpers.shared_weights import assert_same, base_of, silence
from tests.helpers.support import TINY, Batch, build, forward, random_batch
from tests.helpers.terms.coverage_embeddings import (
    BATCH,
    PUBLISHED,
    SINGLE,
    close,
    of,
    states,
    term_of,
    trace_of,
    with_objective,
)


def equally_long(rows: int = 3) -> Batch:
    return random_batch([5, 2, 4][:rows], [4] * rows, seed=5)


@pytest.mark.parametrize("arch", SINGLE)
def test_the_state_is_the_papers(arch):
    """The last state of sentences that end together; Sub carries V_c c."""
    subject, batch = with_objective(arch), equally_long()
    [state] = trace_of(subject, batch).state
    for row, S in enumerate(batch.lengths.tolist()):
        c = states(subject, row, batch)[-1]
        close(state[0][row, :S], term_of(subject).V_c(c) if arch == "covemb_sub" else c)


@pytest.mark.parametrize("arch", SINGLE)
def test_the_states_the_objectives_see_are_the_papers(arch):
    subject = with_objective(arch, "supervised")
    trace = trace_of(subject)
    c = term_of(subject).after_each_word(trace.y[0], trace.kept[0], trace.memory.terms[0], trace)
    for row in range(len(BATCH.source)):
        S, T = int(BATCH.lengths[row]), int(BATCH.target_lengths[row])
        close(c[row, :T, :S], states(subject, row)[1:])
        assert (c[row, :T, S:] == 0).all()


def test_sub_conserves_what_the_words_take():
    """sum_j (c_{0,j} - c_{t,j}) = sum_{k <= t} W_yc E_y(y_k)."""
    subject = with_objective("covemb_sub", "supervised")
    trace, term = trace_of(subject), term_of(subject)
    memory = trace.memory.terms[0]
    c = term.after_each_word(trace.y[0], (), memory, trace)
    taken = term.W_yc(subject.model.decoder.embed_tokens(BATCH.target)).cumsum(1)
    close((memory.initial.unsqueeze(1) - c).sum(2)[BATCH.real], taken[BATCH.real])


@pytest.mark.parametrize(("arch", "moves"), [("covemb_gru", True), ("covemb_sub", False)])
def test_a_word_that_nobody_attends_to(arch, moves):
    """Sub leaves it as it is; the GRU moves it by W E_y(y) all the same."""
    subject = with_objective(arch)
    term = term_of(subject)
    memory = trace_of(subject).memory.terms[0]
    y = term.target(subject.model.decoder.embed_tokens(BATCH.target[:, :1]))
    y = type(y)(*(leaf[:, 0] for leaf in y)) if isinstance(y, tuple) else y[:, 0]
    state = term.start(memory)
    moved = term.observe(y, memory, state)
    real = memory.mask.squeeze(-1).bool()
    assert ((moved[0] - state[0])[real].abs().amax(-1) > 1e-6).all() if moves else torch.equal(moved[0], state[0])


@pytest.mark.parametrize("arch", SINGLE)
def test_nothing_in_nothing_left(arch):
    """K = 0 and an update that sees neither word nor attention: the state stays 0."""
    subject = with_objective(arch, "supervised")
    term = term_of(subject)
    for name in ("K.weight", "W", "w_a", "b", "W_yc.weight"):
        for parameter in (weight for own, weight in term.named_parameters() if own == name):
            parameter.data.zero_()
    trace = trace_of(subject)
    assert (term.after_each_word(trace.y[0], trace.kept[0], trace.memory.terms[0], trace) == 0).all()
    assert (trace.state[0][0] == 0).all()


@pytest.mark.parametrize("arch", PUBLISHED)
def test_lazy_updates_step_by_step(arch):
    invariants.step_by_step_is_one_pass(build(of(arch)).model)


@pytest.mark.parametrize("arch", PUBLISHED)
def test_without_v_c_it_is_the_base(arch):
    model = build(of(arch)).model
    base = base_of(model)
    assert (forward(model, BATCH)[0] - forward(base, BATCH)[0]).abs().max() > 1e-3
    silence(model)
    assert_same(model, base, BATCH)


def added(V: int, E: int, A: int, D: int) -> dict[str, int]:
    """Parameters beyond the base."""
    gru = V * D + A * D + 3 * (E * D + D + D * D + D)
    sub = V * D + A * D + D * E
    both = gru + sub
    return dict(zip(PUBLISHED, [gru, sub, both, both, both], strict=True))


@pytest.mark.parametrize("arch", PUBLISHED)
@pytest.mark.parametrize(("E", "H", "A", "D"), [(7, 6, 5, 3), (620, 1000, 1000, 100)])
def test_parameters_added_to_the_base(arch, E, H, A, D):
    sizes = ModelSizes(**TINY.model_dump() | dict(embed_dim=E, hidden_dim=H, attention_dim=A, covemb_dim=D))
    with torch.device("meta"):
        bigger, base = build(of(arch), sizes), build(of("rnnsearch_star"), sizes)
    count = [sum(weight.numel() for weight in subject.model.parameters()) for subject in (bigger, base)]
    assert count[0] - count[1] == added(V=15, E=E, A=A, D=D)[arch]
