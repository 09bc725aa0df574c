"""Supervised attention: its losses, the attention it expects, what is left out."""

import math

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Target
from fairseq_plugins.terms.supervised_attention import SupervisedAttention, SupervisedAttentionOptions
from stages.settings.variants import VariantModel
from tests.helpers.support import build, random_links
from tests.helpers.terms.losses import BATCH, WIDTHS, trace, weights_and_target

from fairseq.models import MODEL_REGISTRY


def supervised(kind: str = "ce", coefficient: float = 1.0, sigma: float = 0.0, unaligned: str = "exclude"):
    return SupervisedAttention(SupervisedAttentionOptions(kind, coefficient, sigma, unaligned), WIDTHS)


def supervised_loss(term: SupervisedAttention, weights: Tensor, mask: Tensor, target: Target) -> Tensor:
    return term.loss((), (), mask, (), trace(weights), target)


def expected_attention(links: list[list[float]], sigma: float, unaligned: str) -> list[list[float] | None]:
    """A* of one sentence, row by row; None: a row that does not count."""
    rows = []
    for linked in links:
        found = [j for j, link in enumerate(linked) if link]
        if not found:
            rows.append(rows[-1] if unaligned == "inherit" and rows else None)
            continue
        if sigma:
            row = [sum(math.exp(-((j - k) ** 2) / (2 * sigma**2)) for k in found) for j in range(len(linked))]
        else:
            row = [float(link) for link in linked]
        rows.append([value / sum(row) for value in row])
    return rows


def distance(kind: str, expected: list[float], alpha: list[float]) -> float:
    pairs = [*zip(expected, alpha, strict=True)]
    if kind == "ce":
        return -sum(e * math.log(a + 1e-8) for e, a in pairs)
    if kind == "mse":
        return 0.5 * sum((a - e) ** 2 for e, a in pairs)
    return -math.log(sum(e * a for e, a in pairs) + 1e-8)


@pytest.mark.parametrize("kind", ["ce", "mse", "mul"])
@pytest.mark.parametrize("sigma", [0.0, 0.7])
@pytest.mark.parametrize("unaligned", ["exclude", "inherit"])
def test_supervised_attention_is_the_spec_s(kind, sigma, unaligned):
    links, expected = random_links(BATCH, seed=2), 0.0
    weights, mask, target = weights_and_target(links)
    for row in range(len(links)):
        S, T = int(BATCH.lengths[row]), int(BATCH.target_lengths[row])
        for i, right in enumerate(expected_attention(links[row, :T, :S].tolist(), sigma, unaligned)):
            if right is not None:
                expected += distance(kind, right, weights[row, i, :S].tolist())
    found = supervised_loss(supervised(kind, 0.6, sigma, unaligned), weights, mask, target)
    assert float(found) == pytest.approx(0.6 * expected, abs=1e-10)


@pytest.mark.parametrize(
    ("kind", "least"), [("ce", math.log(2)), ("mse", 0.0), ("mul", math.log(2))]
)  # of a row with two links, weights 1/2 each
def test_attention_that_is_the_alignment(kind, least):
    """CE is the entropy of A*, MSE is 0."""
    links = torch.zeros_like(random_links(BATCH, seed=2))
    links[:, :, 0] = 1
    links[0, :2, 1] = 1
    links *= BATCH.real.unsqueeze(-1)
    _, mask, target = weights_and_target(links)
    weights = links / links.sum(-1, keepdim=True).clamp(min=1)
    assert float(supervised_loss(supervised(kind), weights, mask, target)) == pytest.approx(2 * least, abs=1e-6)


def test_supervised_attention_is_least_where_attention_is_the_alignment():
    """The gradient of the cross-entropy points along the simplex there, and so does that of MSE."""
    links = random_links(BATCH, seed=2)
    _, mask, target = weights_and_target(links)
    right = supervised().expected(links, mask)
    for kind in ("ce", "mse"):
        at_best = supervised_loss(supervised(kind), right, mask, target)
        for seed in range(3):
            other = right.lerp(weights_and_target(seed=seed)[0], 0.1)
            assert supervised_loss(supervised(kind), other, mask, target) > at_best


@pytest.mark.parametrize(
    ("unaligned", "links", "expected"),
    [
        ("exclude", [[0, 1, 0], [0, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 0], [0, 0, 1]]),
        ("inherit", [[0, 1, 0], [0, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("inherit", [[0, 0, 0], [1, 1, 0], [0, 0, 0]], [[0, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]]),
    ],
)
def test_target_words_without_a_link(unaligned, links, expected):
    found = supervised(unaligned=unaligned).expected(torch.tensor([links]).double(), torch.ones(1, 3).bool())
    assert found[0].tolist() == expected


def test_supervised_attention_needs_links():
    weights, mask, target = weights_and_target()
    with pytest.raises(ValueError, match=r"supervised_attention learns from word alignments.*--load-alignments"):
        supervised_loss(supervised(), weights, mask, target)


def test_supervised_attention_adds_no_parameters_and_teaches_attention():
    subject, base = build(VariantModel(arch="supervised_attention")), build(VariantModel(arch="rnnsearch_star"))
    assert subject.model.state_dict().keys() == base.model.state_dict().keys()
    assert MODEL_REGISTRY["supervised_attention"].reads_links(subject.args)
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    subject.model.auxiliary_losses(output, BATCH.target, random_links(BATCH, seed=2))["supervised_attention"].backward()
    attention = dict(subject.model.decoder.attention.named_parameters())
    assert all(weight.grad.abs().max() > 1e-6 for weight in attention.values())
