"""The reconstruction of Feng et al. 2016: implicit distortion and implicit fertility."""

from functools import partial
from itertools import pairwise

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import Source, Step, Term, Widths
from fairseq_plugins.terms.implicit_distortion import ImplicitDistortion, ImplicitDistortionOptions
from fairseq_plugins.terms.implicit_fertility import ImplicitFertility, ImplicitFertilityOptions
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.counting import G, added
from tests.helpers.shared_weights import base_of, silence, with_weights_of
from tests.helpers.support import BATCH, Subject, build, forward, random
from tests.helpers.torch_cells import load

close = partial(support.close, tolerance=1e-12)
E, H, A, C = 7, 6, 5, 12  # as in support.TINY
WIDTHS = Widths(vocabulary=15, embedding=E, hidden=H, annotation=C, attention=A)
OPEN = 80.0  # sig(80) is 1 for every purpose

SYSTEMS = {
    "recatt": VariantModel(arch="feng_recatt"),
    "recatt of the context": VariantModel(arch="feng_recatt", recatt="context"),
    "fertdec": VariantModel(arch="feng_fertdec"),
    "fertdec with its loss": VariantModel(arch="feng_fertdec", fertdec_eta=0.3),
    "both": VariantModel(arch="feng_both"),
}
DISTORTION, FERTILITY = "implicit_distortion", "implicit_fertility"


def term(subject: Subject, name: str) -> Term:
    return subject.model.decoder.attention.terms[name]


def difference(one: RecurrentModel, other: RecurrentModel) -> Tensor:
    """The largest one of the logits and weights of each real step, ``(B, T)``."""
    pairs = zip(forward(one, BATCH), forward(other, BATCH), strict=True)
    return sum((a - b).abs().amax(-1) for a, b in pairs) * BATCH.real


@pytest.mark.parametrize("name", SYSTEMS)
def test_terms_that_nothing_reads_leave_the_base(name):
    subject = build(SYSTEMS[name])
    assert difference(subject.model, base_of(subject.model)).max() > 1e-3
    silence(subject.model)
    assert difference(subject.model, base_of(subject.model)).max() < 1e-12


@pytest.mark.parametrize(("silent", "left"), [(DISTORTION, "fertdec"), (FERTILITY, "recatt")])
def test_one_silenced_term_leaves_the_other(silent, left):
    both = build(SYSTEMS["both"]).model
    silence(both, silent)
    assert difference(both, with_weights_of(both, SYSTEMS[left])).max() < 1e-12


def test_both_are_a_combination():
    published = build(SYSTEMS["both"]).model
    combined = with_weights_of(published, VariantModel(arch="attnmt", terms=[DISTORTION, FERTILITY]))
    assert difference(published, combined).max() == 0


def randomised(made: Term) -> Term:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        for parameter in made.double().parameters():
            nn.init.uniform_(parameter, -0.7, 0.7)
    return made


MASK = torch.tensor([[1, 1, 1], [1, 1, 0]]).bool()
H_J = random(2, 3, C) * MASK.unsqueeze(-1)
SOURCE = Source(MASK.long(), MASK, H_J, H_J, ())


# Implicit distortion


@pytest.mark.parametrize("recatt", ["gru", "context"])
def test_attention_is_told_where_it_looked_last(recatt):
    """g_1 = GRU_d(0, 0), then GRU_d(c_{i-1}, g_{i-1}); torch's GRU, its second bias zero. The addend knows no j."""
    made = randomised(ImplicitDistortion(ImplicitDistortionOptions(recatt=recatt), WIDTHS))
    contexts, none = random(4, 2, C, seed=1), random(2, H)
    memory = made.memory(SOURCE)
    state, g, last = made.start(memory), torch.zeros(2, H, dtype=torch.float64), torch.zeros(2, C, dtype=torch.float64)
    if recatt == "gru":
        cell = nn.GRUCell(C, H, dtype=torch.float64)
        load(cell, made.gru.W, made.gru.U, made.gru.b)
    for context in contexts:
        addend, scratch = made.energy((), none, none, memory, state)
        if recatt == "gru":
            g = cell(last, g)
        close(addend, (g if recatt == "gru" else last).matmul(made.V_g.weight.T).unsqueeze(1))
        step = Step(context, None, {}, None, None, (), ())
        state, last = made.update(step, none, none, none, scratch, memory, state), context


def test_the_context_variant_is_the_base_at_the_first_step_only():
    subject = build(SYSTEMS["recatt of the context"])
    found = difference(subject.model, base_of(subject.model))
    assert found[:, 0].max() < 1e-12
    assert found[(BATCH.target_lengths > 1) & (BATCH.lengths > 1), 1].min() > 1e-6


# Implicit fertility


def fertility(eta: float = 0.0) -> ImplicitFertility:
    return randomised(ImplicitFertility(ImplicitFertilityOptions(fertdec_eta=eta), WIDTHS))


def test_the_extract_gate_takes_away_from_what_is_left():
    made = fertility()
    memory = made.memory(SOURCE)
    for row, S in enumerate(MASK.sum(1).tolist()):
        close(memory[row], torch.tanh(made.W_d.weight @ H_J[row, :S].mean(0) + made.b_d))
    embeddings, states, contexts = random(2, 3, E), random(3, 2, H, seed=1), random(3, 2, C, seed=2)
    y, d, state = made.target(embeddings), memory, made.start(memory)
    for i in range(3):
        extra, candidate, state = made.cell(y[:, i], states[i], contexts[i], None, memory, state)
        x = [weights.weight for weights in (made.W_x, made.U_x, made.C_x)]
        pre = embeddings[:, i] @ x[0].T + states[i] @ x[1].T + contexts[i] @ x[2].T + made.b_x
        d = torch.sigmoid(pre) * d
        assert extra is None
        close(state, d)
        close(candidate, d @ made.V_d.weight.T)


def left_after(subject: Subject, words: int) -> Tensor:
    """d_T of the first ``words`` words of each sentence, ``(B, H)``; a shorter sentence stays at its own end."""
    batch = BATCH._replace(previous=BATCH.previous[:, :words], target=BATCH.target[:, :words])
    output = subject.model(batch.source, batch.lengths, batch.previous)
    return output[1]["trace"].state[0]


def test_what_is_left_shrinks_with_every_word_and_stays_at_the_end_of_the_sentence():
    subject = build(SYSTEMS["fertdec with its loss"])
    left = [left_after(subject, words) for words in range(1, 6)]
    for words, (before, after) in enumerate(pairwise(left), start=1):
        goes_on = BATCH.target_lengths > words
        assert (after.abs() < before.abs())[goes_on].all()
        assert (after.sign() == before.sign()).all()
        assert torch.equal(after[~goes_on], before[~goes_on])


def test_what_is_left_enters_the_candidate_state_of_the_recurrence():
    """An open gate and d_0 = tanh(b_d): V_d d is the same everywhere, like a bias of the candidate state."""
    subject = build(SYSTEMS["fertdec"])
    found = term(subject, FERTILITY)
    for weights in (found.W_d, found.W_x, found.U_x, found.C_x):
        weights.weight.data.zero_()
    found.b_x.data.fill_(OPEN)
    base = base_of(subject.model)
    base.decoder.cell.gru_2.b.data[2 * H :] += found.V_d(torch.tanh(found.b_d)).detach()
    assert difference(subject.model, base).max() < 1e-12


def test_the_loss_is_the_norm_of_what_is_left():
    subject = build(SYSTEMS["fertdec with its loss"])
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    losses = subject.model.auxiliary_losses(output, BATCH.target)
    assert set(losses) == {FERTILITY}
    expected = 0
    for row in range(len(BATCH.source)):
        sentence = BATCH.sentence(row)
        alone = subject.model(sentence.source, sentence.lengths, sentence.previous)
        expected = expected + 0.3 * alone[1]["trace"].state[0][0].norm()
    close(losses[FERTILITY], expected, tolerance=1e-10)


def test_without_a_coefficient_there_is_no_loss():
    subject = build(SYSTEMS["fertdec"])
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    assert subject.model.auxiliary_losses(output, BATCH.target) == {}


# How many parameters


DELTAS = {
    "recatt": G(C, H) + A * H,
    "recatt of the context": A * C,
    "fertdec": H * C + H + (E + H + C) * H + H + H * H,
}
DELTAS |= {"fertdec with its loss": DELTAS["fertdec"], "both": DELTAS["recatt"] + DELTAS["fertdec"]}


@pytest.mark.parametrize("name", SYSTEMS)
def test_parameters_added_to_the_base(name):
    assert added(SYSTEMS[name]) == DELTAS[name]
