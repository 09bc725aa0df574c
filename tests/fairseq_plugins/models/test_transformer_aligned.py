"""Guided alignment: the taught head, what teaches it, and that all else is fairseq's Transformer."""

import numpy as np
import pytest
import torch
from torch import Tensor

from stages.files.errors import InputError
from stages.settings.params import section
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from stages.training.run import model_arguments_of
from tests.fairseq_plugins.criterions.test_auxiliary_nll import WORD_LINKS, criterion, task
from tests.helpers.support import (
    BATCH,
    PARAMS,
    VARIANTS,
    Subject,
    build,
    close,
    dictionary,
    forward,
    outputs,
    random_batch,
    random_links,
    step_by_step,
)  # fmt: skip
from tests.naive.gradient import directional
from tests.naive.guided_alignment import attention_of_head, guided_alignment

from fairseq.criterions.label_smoothed_cross_entropy import LabelSmoothedCrossEntropyCriterion
from fairseq.criterions.label_smoothed_cross_entropy_with_alignment import (
    LabelSmoothedCrossEntropyCriterionWithAlignment,
)
from fairseq.models import MODEL_REGISTRY
from fairseq.sequence_generator import SequenceGenerator

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")

LENGTHS = [5, 2, 7, 3], [4, 6, 3, 5]


def variant(arch: str = "transformer_aligned", **options) -> VariantModel:
    """As params.yaml has it, with other options."""
    given = VARIANTS["transformer_aligned"].options() | {"dropout": 0.0} | options
    return VariantModel(arch=arch, **given)


def head_by_hand(tested: Subject, layer: int, head: int, batch) -> list[np.ndarray]:
    """Of each sentence, from what that layer's cross-attention was given and its weights; all counted from 0."""
    block, given = tested.model.decoder.layers[layer].encoder_attn, []
    handle = block.register_forward_hook(
        lambda module, args, kwargs, output: given.append((kwargs["query"], kwargs["key"])), with_kwargs=True
    )
    forward(tested.model, batch)
    handle.remove()
    (x, h), p = given[0], {}
    for letter, projection in (("q", block.q_proj), ("k", block.k_proj)):
        p |= {f"W_{letter}": projection.weight.detach().numpy(), f"b_{letter}": projection.bias.detach().numpy()}
    return [
        attention_of_head(x[:T, row].detach().numpy(), h[:S, row].detach().numpy(), p, block.num_heads, head)
        for row, (S, T) in enumerate(zip(batch.lengths.tolist(), batch.target_lengths.tolist(), strict=True))
    ]


def equal(weights: Tensor, expected: list[np.ndarray]) -> None:
    """fairseq's softmax is in fp32."""
    for row, one in enumerate(expected):
        np.testing.assert_allclose(weights[row, : one.shape[0], : one.shape[1]].detach(), one, rtol=0, atol=1e-6)


# The taught head


@pytest.mark.parametrize(("options", "layer"), [({}, 2), ({"guided_layer": 1}, 0), ({"guided_layer": 4}, 3)])
def test_attention_is_that_of_the_taught_head(options, layer):
    """Teacher-forced and step by step, as the reference implementation has it; no other head is like it."""
    tested, batch = build(variant(**options)), random_batch(*LENGTHS)
    expected = head_by_hand(tested, layer, 0, batch)
    equal(forward(tested.model, batch)[1], expected)
    equal(step_by_step(tested.model, batch)[1], expected)
    others = [head_by_hand(tested, *other, batch) for other in ((layer, 1), (3 - layer, 0))]
    assert all(np.abs(one - two).max() > 1e-3 for other in others for one, two in zip(expected, other, strict=True))


def test_a_decoder_of_one_layer_has_no_other_to_teach():
    assert build(variant(decoder_layers=1)).model.decoder.guided_layer == 1


@torch.no_grad()
def test_attention_of_a_search_is_that_of_the_taught_head_and_fairseqs_is_not():
    """fairseq's transformer_align with the same weights: the same translations, and the mean of the last layer."""
    ours, theirs, batch = *pair(torch.float32), random_batch(*LENGTHS)
    found = []
    for tested in (ours, theirs):
        generator = SequenceGenerator([tested.model], tested.model.decoder.dictionary, beam_size=4, max_len_b=9)
        sample = {"net_input": {"src_tokens": batch.source, "src_lengths": batch.lengths}}
        found.append([one for each in generator.generate([tested.model], sample) for one in each])
    apart = []
    for one, other in zip(*found, strict=True):
        assert one["tokens"].equal(other["tokens"]) and one["score"].equal(other["score"])
        apart.append(float((one["attention"] - other["attention"]).abs().max()))
    assert min(apart) > 1e-3
    _, weights = step_by_step(ours.model, batch)
    _, mean = step_by_step(theirs.model, batch)
    equal(weights, head_by_hand(ours, 2, 0, batch))
    last = [head_by_hand(ours, 3, head, batch) for head in range(4)]
    equal(mean, [np.mean(each, axis=0) for each in zip(*last, strict=True)])


def test_another_layer_can_be_asked_for():
    tested = build(variant())
    found = outputs(tested.model(BATCH.source, BATCH.lengths, BATCH.previous, alignment_layer=0))[1]
    heads = [head_by_hand(tested, 0, head, BATCH) for head in range(4)]
    equal(found, [np.mean(each, axis=0) for each in zip(*heads, strict=True)])


# The loss


@pytest.mark.parametrize("options", [{}, {"guided_lambda": 0.7, "guided_layer": 1}])
def test_the_loss_is_that_of_the_reference_implementation(options):
    tested, batch = build(variant(**options)), random_batch(*LENGTHS)
    links, result = random_links(batch, seed=3), tested.model(batch.source, batch.lengths, batch.previous)
    [(name, found)] = tested.model.auxiliary_losses(result, batch.target, links).items()
    expected = 0.0
    for row, (S, T) in enumerate(zip(batch.lengths.tolist(), batch.target_lengths.tolist(), strict=True)):
        alpha = outputs(result)[1][row, :T, :S].detach().numpy()
        expected += guided_alignment(alpha, links[row, :T, :S].numpy(), options.get("guided_lambda", 0.05))
    assert name == "guided_alignment" and found.item() == pytest.approx(expected, rel=1e-10)


def test_its_gradient_is_that_of_the_reference_implementation():
    """By the energies of the head: lambda (alpha_ij - G_ij) where y_i is linked, 0 elsewhere."""
    tested, batch = build(variant(guided_lambda=0.7)), random_batch(*LENGTHS)
    links = random_links(batch, seed=3)
    e = torch.randn(links.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64).requires_grad_()

    def loss(e: Tensor) -> Tensor:
        alpha = e.softmax(-1)
        return tested.model.auxiliary_losses((None, {"attn": [alpha]}), batch.target, links)["guided_alignment"]

    assert torch.autograd.gradcheck(loss, e)
    (gradient,) = torch.autograd.grad(loss(e), e)
    move = np.random.default_rng(2).normal(size=e.shape)

    def reference(p: dict[str, np.ndarray]) -> complex:
        alpha = np.exp(p["e"]) / np.exp(p["e"]).sum(-1, keepdims=True)
        rows = zip(alpha, links.numpy(), batch.target_lengths.tolist(), strict=True)
        return sum(guided_alignment(alpha[:T], links[:T], 0.7) for alpha, links, T in rows)

    slope = directional(reference, {"e": e.detach().numpy()}, {"e": move})
    assert float((gradient.numpy() * move).sum()) == pytest.approx(slope, rel=1e-10)
    linked = links.any(-1) & batch.target.ne(dictionary(1).eos())
    assert gradient[~linked].abs().max() == 0 and linked.sum() > 5


def test_it_teaches_the_first_head_of_its_layer_and_what_is_below():
    tested, batch = build(variant()), random_batch(*LENGTHS)
    result = tested.model(batch.source, batch.lengths, batch.previous)
    tested.model.auxiliary_losses(result, batch.target, random_links(batch))["guided_alignment"].backward()
    layers = tested.model.decoder.layers
    for projection in (layers[2].encoder_attn.q_proj, layers[2].encoder_attn.k_proj):
        first, *others = projection.weight.grad.chunk(4)
        assert first.ne(0).all() and not any(other.any() for other in others)
    assert layers[3].fc1.weight.grad is None and layers[2].fc1.weight.grad is None
    below = [layers[1].fc1, layers[0].encoder_attn.v_proj, tested.model.encoder.layers[0].fc1]
    assert all(module.weight.grad.any() for module in below)


def test_weights_that_are_0_by_underflow_cost_much_and_not_infinity():
    tested, links = build(variant()), torch.zeros(1, 2, 3)
    links[0, 0, 0] = links[0, 1, 2] = 1
    alpha = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]], requires_grad=True)
    ids = torch.tensor([[5, dictionary(1).eos()]])
    loss = tested.model.auxiliary_losses((None, {"attn": [alpha]}), ids, links)["guided_alignment"]
    loss.backward()
    assert 4 < loss.item() < 5 and alpha.grad.isfinite().all()


# fairseq's own


def pair(dtype: torch.dtype, **options) -> tuple[Subject, Subject]:
    """Ours, and fairseq's transformer_align that has its weights and teaches the same head."""
    ours = build(variant(**options), dtype=dtype)
    layer = {"alignment_layer": ours.model.decoder.guided_layer - 1, "alignment_heads": 1}
    given = {name: value for name, value in variant(**options).options().items() if not name.startswith("guided_")}
    theirs = build(VariantModel(arch="transformer_align", **given, **layer), dtype=dtype)
    theirs.model.load_state_dict(ours.model.state_dict())
    return ours, theirs


@pytest.mark.parametrize("sentence_avg", [False, True])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-6), (torch.float32, 1e-4)])
@pytest.mark.parametrize("options", [{}, {"guided_lambda": 0.9, "guided_layer": 4}])
def test_training_is_fairseqs_with_alignment(options, dtype, tolerance, sentence_avg):
    """Its model and its criterion: loss, likelihood, denominator, and the gradient of every parameter."""
    made, sample = task(WORD_LINKS)
    ours, theirs = pair(dtype, **options)
    coefficient = options.get("guided_lambda", 0.05)
    plain = LabelSmoothedCrossEntropyCriterionWithAlignment(made, sentence_avg, 0.1, coefficient)
    expected, size, logged = plain(theirs.model, sample)
    loss, denominator, own = criterion(made, 0.1, sentence_avg)(ours.model, sample)
    close(loss.float(), expected, tolerance * 10)  # fairseq's is in fp32
    assert denominator == size
    assert float(own["nll_loss"]) == pytest.approx(logged["nll_loss"], rel=1e-5)
    assert float(own["aux_guided_alignment"]) == pytest.approx(coefficient * logged["alignment_loss"], rel=1e-5)
    loss.backward()
    expected.backward()
    for one, other in zip(ours.model.parameters(), theirs.model.parameters(), strict=True):
        assert (one.grad is None) == (other.grad is None)
        if one.grad is not None:
            close(one.grad, other.grad, tolerance)


def test_but_for_its_loss_it_is_the_transformer():
    """The same weights from the same random numbers, and the same loss in training where lambda is 0."""
    made, sample = task(WORD_LINKS)
    ours, plain = (build(variant(arch, **own), dtype=torch.float32) for arch, own in (
        ("transformer_aligned", {"guided_lambda": 0.0, "dropout": 0.3}), ("transformer", {"dropout": 0.3})
    ))  # fmt: skip
    weights = dict(plain.model.named_parameters())
    assert weights and all(one.equal(weights.pop(name)) for name, one in ours.model.named_parameters()) and not weights
    usual, losses = LabelSmoothedCrossEntropyCriterion(made, False, 0.1), []
    for model, of in ((ours.model.train(), criterion(made, 0.1)), (plain.model.train(), usual)):
        torch.manual_seed(3)  # of dropout
        losses.append(of(model, sample)[0])
    close(*losses, 1e-4)


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"guided_layer": 5}, "guided_layer is 5, and the decoder has 4 layers"),
        ({"guided_layer": 0}, "guided_layer is 0, and the decoder has 4 layers"),
        ({"decoder_layers": 0}, "guided_layer is 1, and the decoder has 0 layers"),
    ],
)
def test_a_layer_that_is_not_there(options, message):
    with pytest.raises(ValueError, match=message):
        build(variant(**options))


@pytest.mark.parametrize("option", ["no_cross_attention", "decoder_layerdrop", "encoder_embed_path", "user_dir"])
def test_options_that_do_not_fit_are_none(option):
    sizes = section("corpora.demo.model", ModelSizes, PARAMS)
    with pytest.raises(InputError, match=f"transformer_aligned has no option {option}; it has: .*guided_lambda"):
        model_arguments_of(variant(**{option: 1}), sizes, "mine")


def test_a_switch_is_true_or_false(capsys):
    assert not build(variant(encoder_normalize_before=False)).model.cfg.encoder.normalize_before
    assert build(variant()).model.cfg.encoder.normalize_before
    with pytest.raises(SystemExit):
        build(variant(encoder_normalize_before=3))
    assert "--encoder-normalize-before: invalid truth value: '3'" in capsys.readouterr().err


def test_it_is_no_combination_and_needs_links():
    with pytest.raises(ValueError, match=r"only a combination \(arch: attnmt\) takes `terms`"):
        build(VariantModel(arch="transformer_aligned", terms=["source_history"]))
    made, sample = task(None)
    with pytest.raises(ValueError, match="transformer_aligned learns from word alignments"):
        criterion(made)(build(variant(), dtype=torch.float32).model, sample)
    assert MODEL_REGISTRY["transformer_aligned"].reads_links(build(variant()).args)
