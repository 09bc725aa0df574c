"""Bridging source and target word embeddings (Kuang et al. 2018), and the arithmetic of its parameters."""

from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins.terms._bridging import most_attended
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, Subject, build, forward, padded, random_batch

close = partial(support.close, tolerance=1e-12)
BATCH = random_batch([5, 2, 4, 1], [3, 6, 1, 4], seed=3)
DIRECT = ["bridging_direct", "bridging_direct_nosrc"]
PUBLISHED = ["bridging_source", "bridging_target", *DIRECT]


def of(arch: str, **options) -> VariantModel:
    return VariantModel(arch=arch, **options)


def loss_of(subject: Subject, batch: Batch = BATCH) -> Tensor:
    """The one auxiliary loss."""
    output = subject.model(batch.source, batch.lengths, batch.previous)
    [(name, loss)] = subject.model.auxiliary_losses(output, batch.target).items()
    assert name == "direct_bridging"
    return loss


def W(subject: Subject) -> Tensor:
    return subject.model.decoder.attention.terms["direct_bridging"].W.weight


# Source and target side


@pytest.mark.parametrize("arch", PUBLISHED)
def test_what_is_new_at_zero_leaves_the_base(arch):
    """The new columns stand behind those of h_j and of c_i, where a trained base has none."""
    subject, base = build(of(arch)), build(of("rnnsearch_star"), seed=2)
    weights, E, C = subject.model.state_dict(), TINY.embed_dim, 2 * TINY.hidden_dim
    kept = {}
    for name, weight in base.model.state_dict().items():
        wide = weights[name]
        if wide.shape != weight.shape:
            assert wide.shape == (weight.shape[0], C + E)
            wide[:, C:] = 0
        kept[name] = wide[:, : weight.shape[1]] if wide.dim() == 2 else wide
    base.model.load_state_dict(kept)
    for actual, expected in zip(forward(subject.model, BATCH), forward(base.model, BATCH), strict=True):
        close(actual[BATCH.real], expected[BATCH.real])


@pytest.mark.parametrize(
    ("arch", "widened"),
    [
        ("bridging_source", {"cell.W_init.weight", "attention.U_a.weight", "readout.L_c.weight", "cell.gru_2.W"}),
        ("bridging_target", {"cell.gru_2.W"}),
        ("bridging_direct_nosrc", set()),
    ],
)
def test_what_is_wider(arch, widened):
    base = build(of("rnnsearch_star")).model.decoder.state_dict()
    found = build(of(arch)).model.decoder.state_dict()
    assert {name for name in base if base[name].shape != found[name].shape} == widened


def test_annotations_end_in_the_source_word():
    subject = build(of("bridging_source"))
    source = subject.model.encoder(BATCH.source, BATCH.lengths).source
    annotated = subject.model.decoder.attention.annotate(source).annotations
    close(annotated[..., : 2 * TINY.hidden_dim], source.annotations)
    close(annotated[..., 2 * TINY.hidden_dim :], subject.model.encoder.embed_tokens(BATCH.source))
    assert (annotated[~source.mask] == 0).all()


def test_the_most_attended_word():
    """The first of equals; its embedding has a gradient, the choice has none."""
    embeddings = torch.arange(12.0).view(2, 3, 2).requires_grad_()
    weights = torch.tensor([[[0.2, 0.4, 0.4], [0.5, 0.1, 0.4]], [[0, 1, 0], [0.3, 0.3, 0.4]]]).requires_grad_()
    found = most_attended(embeddings, weights)
    assert found.tolist() == [[[2, 3], [0, 1]], [[8, 9], [10, 11]]]
    found[0].sum().backward()
    assert embeddings.grad.sum(-1).tolist() == [[2, 2, 0], [0, 0, 0]]
    assert weights.grad is None


def test_the_recurrence_sees_the_most_attended_words_alone():
    """Of the source embeddings that attention hands out: what is chosen at no step does not matter."""
    subject = build(of("bridging_target"))
    encoded = subject.model.encoder(BATCH.source, BATCH.lengths)
    before, extra = subject.model.decoder(BATCH.previous, encoded)
    chosen = torch.zeros_like(BATCH.source, dtype=torch.bool)
    for row, T in enumerate(BATCH.target_lengths.tolist()):
        chosen[row, extra["attn"][0][row, :T].argmax(-1)] = True
    assert not chosen.all()

    def changed(where: Tensor) -> Tensor:
        embeddings = encoded.source.embeddings + where.unsqueeze(-1)
        other = encoded._replace(source=encoded.source._replace(embeddings=embeddings))
        return (subject.model.decoder(BATCH.previous, other)[0] - before).abs().amax(-1)[BATCH.real]

    assert changed(~chosen).max() == 0
    assert changed(chosen).min() > 1e-6


def test_the_base_of_a_step_is_the_word_attended_in_it():
    """s_1 by hand."""
    subject, batch = build(of("bridging_target")), random_batch([5, 3], [1, 1], seed=4)
    model, cell = subject.model, subject.model.decoder.cell
    source = model.encoder(batch.source, batch.lengths).source
    logits, weights = forward(model, batch)
    y = model.decoder.embed_tokens(batch.previous[:, 0])
    q = cell.gru_1(cell.gru_1.from_input(y), cell.start(source))
    context = torch.einsum("bs,bsc->bc", weights[:, 0], source.annotations)
    word = torch.stack([source.embeddings[row, int(weights[row, 0].argmax())] for row in range(2)])
    s = cell.gru_2(torch.cat((context, word), -1) @ cell.gru_2.W.T + cell.gru_2.b, q)
    features = model.decoder.readout(s.unsqueeze(1), y.unsqueeze(1), context.unsqueeze(1), {})
    close(model.decoder.W_o(features), logits)


# Direct


@pytest.mark.parametrize("arch", DIRECT)
@pytest.mark.parametrize("soft", [False, True])
def test_the_loss_is_the_papers(arch, soft):
    subject = build(of(arch, bridge_soft=soft, bridge_lambda=0.4))
    weights, expected = forward(subject.model, BATCH)[1], 0
    for row in range(len(BATCH.source)):
        E_x = subject.model.encoder.embed_tokens(BATCH.source[row])
        for i in range(int(BATCH.target_lengths[row])):
            x = weights[row, i] @ E_x if soft else E_x[int(weights[row, i].argmax())]
            y = subject.model.decoder.embed_tokens.weight[BATCH.target[row, i]]
            expected = expected + (W(subject) @ x - y).square().sum()
    close(loss_of(subject), 0.4 * expected)
    assert expected > 0


@pytest.mark.parametrize("arch", DIRECT)
def test_without_w_it_is_the_length_of_the_target_embeddings(arch):
    subject = build(of(arch))
    W(subject).data.zero_()
    close(loss_of(subject), subject.model.decoder.embed_tokens(BATCH.target[BATCH.real]).square().sum())


@pytest.mark.parametrize("soft", [False, True])
def test_a_loss_is_the_sum_of_its_sentences(soft):
    subject = build(of("bridging_direct", bridge_soft=soft))
    alone = sum(loss_of(subject, BATCH.sentence(row)) for row in range(len(BATCH.source)))
    close(loss_of(subject), alone)
    close(loss_of(subject, padded(BATCH, source=2, target=3)), alone)


def reached(subject: Subject) -> set[str]:
    """The parameters that the auxiliary loss, alone, gives a gradient."""
    subject.model.zero_grad()
    loss_of(subject).backward()
    return {name for name, weight in subject.model.named_parameters() if weight.grad is not None and weight.grad.any()}


OWN, E_X, E_Y = "decoder.attention.terms.direct_bridging.W.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("arch", DIRECT)
@pytest.mark.parametrize(
    ("stopgrad", "expected"), [("none", {OWN, E_X, E_Y}), ("target", {OWN, E_X}), ("source", {OWN, E_Y})]
)
def test_what_the_loss_teaches(arch, stopgrad, expected):
    """Attention is not among it: the argmax has no gradient."""
    assert reached(build(of(arch, bridge_stopgrad=stopgrad))) == expected


def test_the_soft_loss_teaches_attention_too():
    found = reached(build(of("bridging_direct", bridge_soft=True)))
    assert {"decoder.attention.W_a.weight", "decoder.attention.U_a.weight", "decoder.attention.v"} < found


@pytest.mark.parametrize("coefficient", [0.0, 3.0])
def test_with_embeddings_left_alone_only_w_learns_from_the_loss(coefficient):
    """Gradients of NLL + loss and of NLL are equal where neither W nor an embedding is."""
    subject = build(of("bridging_direct", bridge_lambda=coefficient))
    gradients = []
    for with_it in (True, False):
        subject.model.zero_grad()
        output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
        nll = torch.nn.functional.cross_entropy(output[0][BATCH.real], BATCH.target[BATCH.real], reduction="sum")
        (nll + sum(subject.model.auxiliary_losses(output, BATCH.target).values()) if with_it else nll).backward()
        gradients.append({name: weight.grad for name, weight in subject.model.named_parameters()})
    same = {name for name, value in gradients[1].items() if value is not None and value.equal(gradients[0][name])}
    everything = set(gradients[0])
    assert everything - same == ({OWN} if coefficient == 0 else {OWN, E_X, E_Y})


# Parameters


def size(variant: VariantModel, sizes: ModelSizes) -> int:
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in build(variant, sizes).model.parameters())


@pytest.mark.parametrize(
    ("E", "H", "A", "readout", "R", "source"),
    [
        (620, 1000, 2000, "tanh", 620, 4_104_400),
        (620, 1000, 1000, "tanh", 620, 3_484_400),
        (620, 1000, 1000, "maxout", 500, 3_720_000),  # Kuang et al. print +3.7M, +1.8M, +0.4M and +4.1M
        (620, 1000, 1000, "maxout", 620, 3_868_800),  # the same in units of 2^20
        (7, 6, 5, "tanh", 4, 7 * (3 * 6 + 5 + 6 + 4)),
    ],
)
def test_parameters_added_to_the_base(E, H, A, readout, R, source):
    sizes = ModelSizes(**TINY.model_dump() | dict(embed_dim=E, hidden_dim=H, attention_dim=A, readout_dim=R))
    before = 2 * R if readout == "maxout" else R
    assert source == E * (3 * H + A + H + before)
    base = size(of("rnnsearch_star", readout=readout), sizes)
    found = [size(of(arch, readout=readout), sizes) - base for arch in PUBLISHED]
    assert found == [source, 3 * E * H, source + E * E, E * E]
