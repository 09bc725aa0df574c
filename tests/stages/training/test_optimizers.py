"""Adadelta and gradient descent inside whole trainings: every step against its formula, every batch as it was asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from tests.helpers import tiny

from fairseq.optim import FairseqOptimizer

KINDS = ("adadelta", "sgd")


class Step(NamedTuple):
    """One update: parameters before and after, and the gradients that made it."""

    before: list[Tensor]
    gradients: list[Tensor]
    after: list[Tensor]


class Seen(NamedTuple):
    """A training: its outputs, its updates, and (sentences, target tokens, denominator) of each training batch."""

    folder: Path
    steps: list[Step]
    batches: list[tuple[int, int, int]]


@pytest.fixture(scope="module", params=KINDS)
def seen(request, tmp_path_factory) -> Iterator[tuple[str, Seen]]:
    folder = tmp_path_factory.mktemp(request.param)
    made = Seen(folder / "out", [], [])
    step, criterion = FairseqOptimizer.step, AuxiliaryNLL.forward

    def step_seen(self, *args, **kwargs):
        before, gradients = copies(self.params), [parameter.grad.clone() for parameter in self.params]
        step(self, *args, **kwargs)
        made.steps.append(Step(before, gradients, copies(self.params)))

    def forward_seen(self, model, sample, reduce=True):
        loss, denominator, logged = criterion(self, model, sample, reduce)
        if model.training:
            made.batches.append((len(sample["target"]), sample["ntokens"], denominator))
        return loss, denominator, logged

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FairseqOptimizer, "step", step_seen)
        patch.setattr(AuxiliaryNLL, "forward", forward_seen)
        tiny.train(request.param, folder / "scratch", made.folder)
    return request.param, made


def copies(parameters) -> list[Tensor]:
    return [parameter.detach().clone() for parameter in parameters]


def expected_rates(name: str) -> list[float]:
    """Of each epoch, by hand: Adadelta's never changes, that of gradient descent halves from the second epoch on."""
    return {"adadelta": [1.0, 1.0, 1.0], "sgd": [0.5, 0.25, 0.125]}[name]


@pytest.mark.training
def test_rates_of_the_epochs(seen):
    name, made = seen
    assert [float(row["lr"]) for row in tiny.log(made.folder, "train")] == expected_rates(name)


@pytest.mark.training
def test_every_step_is_that_of_the_formula(seen):
    """Adadelta: torch's own on the same gradients, with Zeiler's rho and epsilon; sgd: theta - lr g, lr by hand."""
    name, made = seen
    parameters = [torch.nn.Parameter(value.clone()) for value in made.steps[0].before]
    adadelta = torch.optim.Adadelta(parameters, lr=1.0, rho=0.95, eps=1e-6)
    updates = len(made.steps) // tiny.EPOCHS
    for number, step in enumerate(made.steps):
        if name == "adadelta":
            for parameter, gradient in zip(parameters, step.gradients, strict=True):
                parameter.grad = gradient.clone()
            adadelta.step()
            expected = copies(parameters)
        else:
            rate = expected_rates(name)[number // updates]
            expected = [before - rate * g for before, g in zip(step.before, step.gradients, strict=True)]
        for found, wanted in zip(step.after, expected, strict=True):
            torch.testing.assert_close(found, wanted, rtol=0, atol=1e-7)


def test_adadelta_is_that_of_its_paper():
    """Zeiler 2012, Algorithm 1, in double precision, on a few numbers."""
    rho, eps = 0.95, 1e-6
    parameter = torch.nn.Parameter(torch.tensor([0.3, -2.0], dtype=torch.float64))
    theta, squares, moves = parameter.detach().clone(), torch.zeros(2).double(), torch.zeros(2).double()
    optimizer = torch.optim.Adadelta([parameter], lr=1.0, rho=rho, eps=eps)
    for gradient in torch.tensor([[1.0, -0.5], [0.2, 3.0], [-4.0, 0.0]]).double():
        parameter.grad = gradient.clone()
        optimizer.step()
        squares = rho * squares + (1 - rho) * gradient**2
        move = -(moves + eps).sqrt() / (squares + eps).sqrt() * gradient
        moves = rho * moves + (1 - rho) * move**2
        theta = theta + move
        torch.testing.assert_close(parameter.detach(), theta, rtol=1e-12, atol=0)


@pytest.mark.training
def test_gradients_are_clipped_to_the_norm(seen):
    name, made = seen
    limit = tiny.VARIANTS[name]["training"]["clip_norm"]
    norms = [float(sum(gradient.square().sum() for gradient in step.gradients)) ** 0.5 for step in made.steps]
    assert max(norms) == pytest.approx(limit, rel=1e-4)  # some are clipped, none is longer


@pytest.mark.training
def test_batches_have_as_many_sentences_as_the_settings_say(seen):
    """The corpus has 62 pairs."""
    name, made = seen
    size, pairs = tiny.VARIANTS[name]["training"]["max_sentences"], len(tiny.pieces("train", tiny.SOURCE))
    expected = sorted(([size] * (pairs // size) + [pairs % size]) * tiny.EPOCHS)
    assert pairs % size and sorted(sentences for sentences, _, _ in made.batches) == expected


@pytest.mark.training
def test_the_loss_is_a_mean_over_sentences(seen):
    _, made = seen
    assert all(denominator == sentences < tokens for sentences, tokens, denominator in made.batches)
    row = tiny.log(made.folder, "train")[0]
    assert float(row["loss"]) > 2 * float(row["nll_loss"])  # a sentence has many pieces


@pytest.mark.training
def test_the_loss_is_a_mean_over_pieces_unless_told():
    row = tiny.log(tiny.trained("rnnsearch_star"), "train")[0]
    assert float(row["loss"]) == pytest.approx(float(row["nll_loss"]), abs=0.002)
