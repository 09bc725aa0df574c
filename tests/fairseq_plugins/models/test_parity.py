"""Every system equals its reference implementation (tests/naive): logits, weights, losses and gradients, in float64."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.fairseq_plugins.models.under_test import subject, systems
from tests.helpers.binding import directions, gradients, losses, parameters
from tests.helpers.binding import system as reference_of
from tests.helpers.support import Batch, Subject, forward, outputs, random_batch, random_links
from tests.naive.gradient import directional
from tests.naive.system import run

PAIRS = [(1, 1), (2, 1), (17, 1), (1, 2), (7, 2), (2, 7), (17, 7), (1, 17), (7, 17)]
"""Lengths of source and target: the least, the last places of windows, and either side the longer."""


@systems
def test_equals_the_reference_implementation(name):
    """Logits and weights, of one ragged batch."""
    batch = random_batch(*zip(*PAIRS, strict=True))
    logits, weights = forward(subject(name).model, batch)
    system, params = reference_of(subject(name)), parameters(subject(name))
    for row, (S, T) in enumerate(PAIRS):
        sentence = batch.sentence(row)
        expected = run(system, params, sentence.source[0].tolist(), sentence.previous[0].tolist())
        np.testing.assert_allclose(logits[row, :T].detach(), expected.logits, rtol=0, atol=1e-10)
        if expected.weights is None:
            assert weights is None
        else:
            np.testing.assert_allclose(weights[row, :T, :S].detach(), expected.weights, rtol=0, atol=1e-10)


def auxiliary(tested: Subject, batch: Batch, links: Tensor) -> tuple[tuple[Tensor, Tensor | None], dict[str, Tensor]]:
    """Logits and weights, and every auxiliary loss."""
    result = tested.model(batch.source, batch.lengths, batch.previous)
    return outputs(result), tested.model.auxiliary_losses(result, batch.target, links)


def reference_losses(tested: Subject, params: dict[str, np.ndarray], batch: Batch, links: Tensor) -> dict[str, complex]:
    """The sum of the sentences' losses; what has none of the first sentence has none."""
    total: dict[str, complex] = {}
    for row in range(len(batch.source)):
        sentence = batch.sentence(row)
        T, S = sentence.target.shape[1], sentence.source.shape[1]
        for name, value in losses(tested, params, sentence, links[row, :T, :S].numpy()).items():
            total[name] = total.get(name, 0.0) + value
        if not total:
            break
    return total


@systems
def test_losses_equal_the_reference_implementation(name):
    batch = random_batch(*zip(*PAIRS, strict=True), seed=5)
    links = random_links(batch)
    _, found = auxiliary(subject(name), batch, links)
    expected = reference_losses(subject(name), parameters(subject(name)), batch, links)
    assert {one: float(value) for one, value in found.items()} == pytest.approx(expected, rel=1e-10, abs=1e-10)


@systems
def test_gradients_equal_the_reference_implementation(name):
    """d f / d parameter along a random direction, f a random linear function of logits, weights and auxiliary losses;
    what an arg-max chooses stays chosen. All tensors move at once, and one by one where that is not equal to 1e-11."""
    batch = random_batch([4, 2, 3], [2, 4, 3], seed=1)
    links = random_links(batch, seed=2)
    (logits, weights), extra = auxiliary(subject(name), batch, links)
    random, real = np.random.default_rng(2), batch.real.numpy()[:, :, None]
    on_logits = random.normal(size=logits.shape) * real
    on_losses = {loss: 3.0 + random.normal() for loss in extra}
    objective = (logits * torch.from_numpy(on_logits)).sum() + sum(on_losses[loss] * extra[loss] for loss in extra)
    if weights is not None:
        on_weights = random.normal(scale=5, size=weights.shape) * real
        objective = objective + (weights * torch.from_numpy(on_weights)).sum()
    found, system, params = gradients(subject(name), objective), reference_of(subject(name)), parameters(subject(name))

    def reference(p: dict[str, np.ndarray]) -> complex:
        total = 0.0
        for row in range(len(batch.source)):
            sentence = batch.sentence(row)
            S, T = sentence.source.shape[1], sentence.previous.shape[1]
            result = run(system, p, sentence.source[0].tolist(), sentence.previous[0].tolist())
            total = total + (result.logits * on_logits[row, :T]).sum()
            if result.weights is not None:
                total = total + (result.weights * on_weights[row, :T, :S]).sum()
        if on_losses:
            of_losses = reference_losses(subject(name), p, batch, links)
            total = total + sum(on_losses[loss] * value for loss, value in of_losses.items())
        return total

    moves = directions(params, seed=3)
    slopes = {symbol: float((found[symbol] * direction).sum()) for symbol, direction in moves.items()}
    if math.fsum(slopes.values()) == pytest.approx(directional(reference, params, moves), rel=1e-11):
        return
    for symbol, direction in moves.items():
        slope = directional(reference, params, {symbol: direction})
        assert slopes[symbol] == pytest.approx(slope, rel=1e-8, abs=1e-10), symbol
