"""Global fertility: its loss by itself and in a model, and its parameters."""

from argparse import Namespace
from functools import partial

import pytest
import torch
from torch import Tensor
from torch.distributions import Normal

from fairseq_plugins import registry
from fairseq_plugins.terms.global_fertility import GlobalFertility, GlobalFertilityOptions
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, build, padded
from tests.helpers.terms.losses import BATCH, WIDTHS, trace, weights_and_target

from fairseq.models import MODEL_REGISTRY

close = partial(support.close, tolerance=1e-12)


def fertility(coefficient: float = 1.0, penalty: float = 0.0) -> GlobalFertility:
    term = GlobalFertility(GlobalFertilityOptions(coefficient, penalty), WIDTHS).double()
    with torch.random.fork_rng():
        torch.manual_seed(4)
        for parameter in term.parameters():
            torch.nn.init.uniform_(parameter, -0.7, 0.7)
    return term


def source_of(mask: Tensor) -> Tensor:
    random = torch.Generator().manual_seed(6)
    return torch.randn(*mask.shape, 12, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)


@pytest.mark.parametrize(("coefficient", "penalty"), [(1.0, 0.0), (0.3, 0.0), (0.0, 0.2), (0.3, 0.2)])
def test_global_fertility_is_the_papers(coefficient, penalty):
    """The log-density of a normal distribution; eos among the target words but not among the source's."""
    term, (weights, mask, target), expected = fertility(coefficient, penalty), weights_and_target(), 0
    h = source_of(mask)
    for row in range(len(h)):
        f = weights[row, : int(BATCH.target_lengths[row])].sum(0)
        close(f.sum(), BATCH.target_lengths[row].double())
        for j in range(int(BATCH.lengths[row]) - 1):
            k = torch.tanh(term.W_h.weight @ h[row, j] + term.b_h)
            mu, variance = term.w_mu @ k + term.b_mu, torch.exp(term.w_v @ k + term.b_v)
            expected = expected - coefficient * Normal(mu, variance.sqrt()).log_prob(f[j])
            expected = expected + penalty * (f[j] - 1) ** 2
    words = term.memory(Namespace(annotations=h, mask=mask))
    close(term.loss((), (), words, (), trace(weights), target), expected.squeeze())


def test_global_fertility_in_a_model():
    """The sum of its sentences, whatever stands after them; reaches each of its weights, and attention."""
    subject = build(VariantModel(arch="attnmt", terms=["global_fertility"]))

    def loss(batch: Batch) -> Tensor:
        output = subject.model(batch.source, batch.lengths, batch.previous)
        return subject.model.auxiliary_losses(output, batch.target)["global_fertility"]

    alone = sum(loss(BATCH.sentence(row)) for row in range(len(BATCH.source)))
    close(loss(BATCH), alone)
    close(loss(padded(BATCH, source=2, target=3)), alone)
    assert loss(BATCH.sentence(3)).item() == 0  # no word but eos
    loss(BATCH).backward()
    assert all(weight.grad.any() for weight in subject.model.decoder.attention.parameters())


def test_parameters_of_global_fertility():
    H, C = TINY.hidden_dim, 2 * TINY.hidden_dim
    counts = [
        sum(weight.numel() for weight in build(VariantModel(arch="attnmt", terms=terms)).model.parameters())
        for terms in (["global_fertility"], [])
    ]
    assert counts[0] - counts[1] == H * C + H + 2 * H + 2


def test_global_fertility_stands_beside_the_structural_biases():
    registry.register("cohn_globalfert")
    terms = [term.name for term in MODEL_REGISTRY["cohn_globalfert"].terms]
    assert terms == ["position_bias", "markov_bias", "local_fertility_bias", "global_fertility"]
