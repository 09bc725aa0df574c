"""Coverage embeddings (Mi et al. 2016): their updates, closed forms and objectives."""

from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Trace
from fairseq_plugins.terms._coverage_embedding import translated
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, Subject, build, forward, padded, random_batch, step_by_step

from fairseq.models import MODEL_REGISTRY

close = partial(support.close, tolerance=1e-12)
BATCH = random_batch([5, 2, 4, 1, 4], [3, 6, 1, 4, 6], seed=3)
LINKS = [  # (target, source) of each sentence, without eos-eos
    [(0, 3), (1, 0), (1, 3)],
    [(2, 0), (0, 0), (4, 0)],
    [],
    [],
    [(4, 0), (0, 1)],
]
SINGLE = ["covemb_gru", "covemb_sub"]
PUBLISHED = [*SINGLE, "covemb_gru_sub", "covemb_gru_sub_obj", "covemb_gru_sub_supobj"]
OBJECTIVES = [(objective, norm) for objective in ("final", "supervised") for norm in (1, 2)]


def of(arch: str, **options) -> VariantModel:
    return VariantModel(arch=arch, **options)


def with_objective(arch: str, objective: str = "final", norm: int = 2, coefficient: float = 0.3) -> Subject:
    coefficients = {f"covemb_{kind}_lambda": coefficient for kind in ("gru", "sub") if kind in arch}
    return build(of(arch, covemb_objective=objective, covemb_norm=norm, **coefficients))


def links(batch: Batch = BATCH) -> Tensor:
    """``LINKS`` and eos-eos, ``(B, T, S)``."""
    dense = torch.zeros(*batch.target.shape, batch.source.shape[1])
    for row, pairs in enumerate(LINKS):
        for i, j in [*pairs, (int(batch.target_lengths[row]) - 1, int(batch.lengths[row]) - 1)]:
            dense[row, i, j] = 1
    return dense


def term_of(subject: Subject):
    [term] = subject.model.decoder.attention.terms.values()
    return term


def trace_of(subject: Subject, batch: Batch = BATCH) -> Trace:
    return subject.model(batch.source, batch.lengths, batch.previous)[1]["trace"]


def loss_of(subject: Subject, batch: Batch = BATCH, linked: Tensor | None = None) -> Tensor:
    output = subject.model(batch.source, batch.lengths, batch.previous)
    return sum(subject.model.auxiliary_losses(output, batch.target, links() if linked is None else linked).values())


def states(subject: Subject, row: int, batch: Batch = BATCH) -> Tensor:
    """c_0 .. c_T of one sentence ``(T + 1, S, D)``, position by position as the paper has it."""
    term, D = term_of(subject), TINY.covemb_dim
    S, T = int(batch.lengths[row]), int(batch.target_lengths[row])
    weights = forward(subject.model, batch)[1][row]
    words = subject.model.decoder.embed_tokens(batch.target[row])
    c = [torch.stack([term.K.weight[batch.source[row, j]] for j in range(S)])]
    for t in range(T):
        if "sub" in term.name:
            moved = [c[t][j] - weights[t, j] * (term.W_yc.weight @ words[t]) for j in range(S)]
        else:
            moved = []
            for j in range(S):
                u = term.W @ words[t] + term.w_a * weights[t, j] + term.b
                h = term.U @ c[t][j]
                r, z = torch.sigmoid(u[:D] + h[:D]), torch.sigmoid(u[D : 2 * D] + h[D : 2 * D])
                n = torch.tanh(u[2 * D :] + r * h[2 * D :])
                moved.append(z * c[t][j] + (1 - z) * n)
        c.append(torch.stack(moved))
    return torch.stack(c)


def equally_long(rows: int = 3) -> Batch:
    return random_batch([5, 2, 4][:rows], [4] * rows, seed=5)


# The updates


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
    model = build(of(arch)).model
    for by_step, at_once in zip(step_by_step(model, BATCH), forward(model, BATCH), strict=True):
        close(by_step[BATCH.real], at_once[BATCH.real])


@pytest.mark.parametrize("arch", PUBLISHED)
def test_without_v_c_it_is_the_base(arch):
    subject, base = build(of(arch)), build(of("rnnsearch_star"), seed=2)
    shared = subject.model.state_dict()
    base.model.load_state_dict({name: shared[name] for name in base.model.state_dict()})
    assert (forward(subject.model, BATCH)[0] - forward(base.model, BATCH)[0]).abs().max() > 1e-3
    for term in subject.model.decoder.attention.terms.values():
        term.V_c.weight.data.zero_()
    for actual, expected in zip(forward(subject.model, BATCH), forward(base.model, BATCH), strict=True):
        close(actual[BATCH.real], expected[BATCH.real])


# The objectives


@pytest.mark.parametrize("arch", SINGLE)
@pytest.mark.parametrize(("objective", "norm"), OBJECTIVES)
def test_the_objectives_are_the_papers(arch, objective, norm):
    subject = with_objective(arch, objective, norm)
    expected = 0
    for row in range(len(BATCH.source)):
        c = states(subject, row)
        S, T = int(BATCH.lengths[row]), int(BATCH.target_lengths[row])
        for j in range(S):
            linked = [i + 1 for i, k in [*LINKS[row], (T - 1, S - 1)] if k == j]
            first = T if objective == "final" else max(linked, default=T)
            expected = expected + sum(torch.linalg.vector_norm(c[t, j], norm) for t in range(first, T + 1))
    support.close(loss_of(subject), 0.3 * expected, tolerance=1e-9)


@pytest.mark.parametrize("arch", [*SINGLE, "covemb_gru_sub"])
@pytest.mark.parametrize("objective", ["final", "supervised"])
def test_an_objective_is_the_sum_of_its_sentences(arch, objective):
    """So every sentence's states count up to its own end and no further, even if padding were a word."""
    subject, alone = with_objective(arch, objective), 0
    subject.model.decoder.embed_tokens.weight.data[subject.model.decoder.dictionary.pad()] = 1
    for row in range(len(BATCH.source)):
        sentence = BATCH.sentence(row)
        S, T = sentence.source.shape[1], sentence.target.shape[1]
        alone = alone + loss_of(subject, sentence, links()[row : row + 1, :T, :S])
    close(loss_of(subject), alone)
    wider = torch.nn.functional.pad(links(), (0, 2, 0, 3))
    close(loss_of(subject, padded(BATCH, source=2, target=3), wider), alone)


def test_two_coverages_have_a_loss_each():
    subject = build(of("covemb_gru_sub_obj"))
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    losses = subject.model.auxiliary_losses(output, BATCH.target)
    norms = {}
    for name, coefficient in (("coverage_embedding_gru", 1e-4), ("coverage_embedding_sub", 1e-2)):
        term = subject.model.decoder.attention.terms[name]
        assert term.coefficient == coefficient
        term.coefficient = 1
        norms[name] = coefficient * subject.model.auxiliary_losses(output, BATCH.target)[name]
    assert losses.keys() == norms.keys()
    for name in losses:
        close(losses[name], norms[name])


@pytest.mark.parametrize("arch", SINGLE)
def test_without_links_nothing_counts_but_the_end(arch):
    final, supervised = with_objective(arch, "final"), with_objective(arch, "supervised")
    nothing = torch.zeros_like(links())
    close(loss_of(supervised, linked=nothing), loss_of(final))
    assert loss_of(supervised) > loss_of(final)


@pytest.mark.parametrize("arch", SINGLE)
@pytest.mark.parametrize("objective", ["final", "supervised"])
def test_an_objective_of_no_weight_changes_no_gradient(arch, objective):
    def gradients(subject: Subject) -> dict[str, Tensor]:
        output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
        losses = subject.model.auxiliary_losses(output, BATCH.target, links())
        nll = torch.nn.functional.cross_entropy(output[0][BATCH.real], BATCH.target[BATCH.real], reduction="sum")
        (nll + sum(losses.values())).backward()
        return {name: weight.grad for name, weight in subject.model.named_parameters()}

    with_it, without = gradients(with_objective(arch, objective, coefficient=0)), gradients(build(of(arch)))
    for name in without:
        close(with_it[name], without[name])
    with_weight = gradients(with_objective(arch, objective))
    assert all((with_weight[name] - without[name]).abs().max() > 1e-9 for name in without if ".terms." in name)


@pytest.mark.parametrize("norm", [1, 2])
def test_an_objective_has_a_gradient_where_nothing_is_left(norm):
    subject = with_objective("covemb_sub", "final", norm)
    term = term_of(subject)
    for parameter in term.parameters():
        parameter.data.zero_()
    loss_of(subject).backward()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in term.parameters())


@pytest.mark.parametrize(
    ("lengths", "linked", "expected"),
    [
        ([3], [[(0, 0), (1, 0)]], [[[0, 0], [1, 0], [1, 1]]]),  # the last link counts; a word without one waits
        ([1], [[(0, 1)]], [[[1, 1], [0, 0], [0, 0]]]),
        ([2, 3], [[], [(2, 1)]], [[[0, 0], [1, 1], [0, 0]], [[0, 0], [0, 0], [1, 1]]]),
    ],
)
def test_from_when_a_word_counts(lengths, linked, expected):
    dense = torch.zeros(len(lengths), 3, 2)
    for row, pairs in enumerate(linked):
        for pair in pairs:
            dense[row, *pair] = 1
    words = torch.arange(3) < torch.tensor(lengths).unsqueeze(1)
    assert translated(dense, words).int().tolist() == expected


def test_a_supervised_objective_needs_links():
    subject = build(of("covemb_gru_sub_supobj"))
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    with pytest.raises(ValueError, match="coverage_embedding_gru learns from word alignments"):
        subject.model.auxiliary_losses(output, BATCH.target)


# The systems


@pytest.mark.parametrize(
    ("arch", "objective"), [*zip(PUBLISHED, ["none", "none", "none", "final", "supervised"], strict=True)]
)
def test_which_system_has_which_objective(arch, objective):
    subject = build(of(arch))
    kind = MODEL_REGISTRY[arch]
    assert {term.objective for term in subject.model.decoder.attention.terms.values()} == {objective}
    assert kind.reads_links(subject.args) == (objective == "supervised")
    assert ("covemb_objective" in kind.option_names(None)) == (objective == "none")


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
