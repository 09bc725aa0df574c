"""Every system with the factors of its products rounded to bf16: its gradients, and that all else stays in fp32."""

import re

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.kernels import products
from tests.fairseq_plugins.models.under_test import FLOAT, recurrent, subject, whole
from tests.helpers.support import RECURRENT, Subject, build, forward, outputs, random_batch, random_links

BATCH = random_batch([5, 3, 7, 4], [4, 6, 2, 5], seed=1)
LINKS = random_links(BATCH, seed=2).float()


def passed_through(tested: Subject, factors: str) -> tuple[Tensor, dict[str, Tensor]]:
    """The logits, and the gradients of the NLL plus a random linear function of weights and auxiliary losses."""
    random, real = np.random.default_rng(2), BATCH.real.unsqueeze(-1)
    with products(factors):
        result = tested.model(BATCH.source, BATCH.lengths, BATCH.previous)
        losses = tested.model.auxiliary_losses(result, BATCH.target, LINKS)
    logits, weights = outputs(result)
    total = F.cross_entropy(logits[BATCH.real], BATCH.target[BATCH.real], reduction="sum") + sum(losses.values())
    if weights is not None:
        total = total + (weights * torch.from_numpy(random.normal(scale=5, size=weights.shape)).float() * real).sum()
    parameters = dict(tested.model.named_parameters())
    found = torch.autograd.grad(total, list(parameters.values()), allow_unused=True)
    return logits.detach(), {
        name: one for name, one in zip(parameters, found, strict=True) if one is not None and one.any()
    }


@recurrent
def test_gradients_point_where_those_of_fp32_do(name):
    """And each parameter's gradient is another one: there is a rounded product on its way."""
    (logits, rounded), (expected, precise) = (passed_through(subject(name, FLOAT), each) for each in ("bf16", "fp32"))
    assert logits.dtype == FLOAT
    assert 0 < (logits - expected).norm() < 0.02 * expected.norm()
    assert rounded.keys() == precise.keys() != set()
    for parameter, gradient in rounded.items():
        assert gradient.dtype == FLOAT
        assert not torch.equal(gradient, precise[parameter]), parameter
        assert F.cosine_similarity(gradient.flatten(), precise[parameter].flatten(), dim=0) > 0.999, parameter


@whole
def test_rounding_is_the_same_in_every_run(name):
    (logits, first), (again, second) = (passed_through(subject(name, FLOAT), "bf16") for _ in range(2))
    assert torch.equal(logits, again)
    assert all(torch.equal(gradient, second[parameter]) for parameter, gradient in first.items())


# Embeddings, and what meets the few features of a word inside the attention's own kernel.
NO_FACTORS = re.compile(r"embed_tokens|\.K\.|(position|markov|local_fertility)_bias|linguistic_coverage")


@recurrent
def test_every_weight_is_rounded_where_it_is_a_factor(name):
    """So rounding the matrices beforehand changes no bit."""
    model = build(RECURRENT[name], dtype=FLOAT).model
    weights = {one: p for one, p in model.named_parameters() if p.dim() > 1 and not NO_FACTORS.search(one)}
    with torch.no_grad(), products("bf16"):
        expected, _ = forward(model, BATCH)
        for weight in weights.values():
            weight.copy_(weight.bfloat16())
        found, _ = forward(model, BATCH)
    assert torch.equal(found, expected)
