"""The coverage loss of See et al. 2017, on made-up weights and in its system."""

from functools import partial

import pytest
import torch

from fairseq_plugins.terms.coverage_loss import CoverageLoss, CoverageLossOptions
from tests.helpers import support
from tests.helpers.shared_weights import assert_same, base_of, silence
from tests.helpers.support import build, of
from tests.helpers.terms.losses import BATCH, WIDTHS, trace, weights_and_target

close = partial(support.close, tolerance=1e-12)


def loss_of(weights, target, **options):
    term = CoverageLoss(CoverageLossOptions(**options), WIDTHS)
    return term.loss((), (), (), (), trace(weights), target)


def by_hand(weights, target) -> float:
    total = 0.0
    for alpha, length in zip(weights.tolist(), target.mask.sum(1).tolist(), strict=True):
        covered = [0.0] * len(alpha[0])
        for row in alpha[:length]:
            total += sum(map(min, row, covered))
            covered = [c + a for c, a in zip(covered, row, strict=True)]
    return total


def test_it_is_the_smaller_of_attention_and_coverage():
    weights, _, target = weights_and_target()
    assert float(loss_of(weights, target)) == pytest.approx(by_hand(weights, target), rel=1e-13)
    assert float(loss_of(weights, target, coverage_loss_lambda=0.3)) == pytest.approx(
        0.3 * by_hand(weights, target), rel=1e-13
    )


def test_it_is_0_where_every_word_is_attended_once_and_1_a_word_where_one_always_is():
    once = torch.eye(6, dtype=torch.float64)[None, : BATCH.target.shape[1]].expand(len(BATCH.target), -1, -1)
    _, _, target = weights_and_target()
    assert loss_of(once, target) == 0
    always = torch.zeros_like(once)
    always[..., 0] = 1
    assert loss_of(always, target) == (BATCH.target_lengths - 1).sum()


def test_gradcheck():
    weights, _, target = weights_and_target()
    assert torch.autograd.gradcheck(lambda w: loss_of(w, target), weights.requires_grad_())


def test_with_nothing_that_covers_and_no_coefficient_it_is_rnnsearch_star():
    subject = build(of("coverage_loss", coverage_loss_lambda=0.0))
    silence(subject.model)
    assert_same(subject.model, base_of(subject.model), BATCH)
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    [loss] = subject.model.auxiliary_losses(output, BATCH.target).values()
    assert loss.item() == 0


def test_the_attention_sees_what_the_loss_is_about():
    """V_a, which shows the coverage to the tanh, is trained by the loss alone too."""
    subject = build(of("coverage_loss"))
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    [loss] = subject.model.auxiliary_losses(output, BATCH.target).values()
    loss.backward()
    assert subject.model.decoder.attention.terms["linguistic_coverage"].V_a.weight.grad.abs().min() > 0
