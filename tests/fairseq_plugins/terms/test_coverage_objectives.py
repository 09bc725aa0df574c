"""The objectives of coverage embeddings (Mi et al. 2016): their values and gradients, and which system has which."""

import pytest
import torch
from torch import Tensor

from fairseq_plugins.terms._coverage_embedding import translated
from tests.helpers import support
from tests.helpers.support import Subject, build, padded
from tests.helpers.terms.coverage_embeddings import (
    BATCH,
    LINKS,
    PUBLISHED,
    SINGLE,
    close,
    links,
    loss_of,
    of,
    states,
    term_of,
    with_objective,
)

from fairseq.models import MODEL_REGISTRY

OBJECTIVES = [(objective, norm) for objective in ("final", "supervised") for norm in (1, 2)]


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


@pytest.mark.parametrize(
    ("arch", "objective"), [*zip(PUBLISHED, ["none", "none", "none", "final", "supervised"], strict=True)]
)
def test_which_system_has_which_objective(arch, objective):
    subject = build(of(arch))
    kind = MODEL_REGISTRY[arch]
    assert {term.objective for term in subject.model.decoder.attention.terms.values()} == {objective}
    assert kind.reads_links(subject.args) == (objective == "supervised")
    assert ("covemb_objective" in kind.option_names(None)) == (objective == "none")
