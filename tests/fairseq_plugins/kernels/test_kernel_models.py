"""Models that use the kernels: copied, frozen, without gradients, in two threads, and interrupted."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

from fairseq_plugins.kernels import accumulate_grad, attention_weights, linear, weighted_sum
from tests.helpers.support import SYSTEMS, build, close, forward, random_batch

from fairseq.models import FairseqEncoderDecoderModel

BATCH = random_batch([5, 1, 4], [4, 5, 1], seed=3)
OTHER = random_batch([2, 6], [6, 2], seed=4)
NAMES = ["rnnsearch_star", "ba_nmt", "luong_global_general", "everything at once"]


@pytest.fixture(params=NAMES)
def model(request) -> FairseqEncoderDecoderModel:
    return build(SYSTEMS[request.param]).model


def gradients(model: FairseqEncoderDecoderModel, batch=BATCH) -> dict[str, Tensor]:
    """Of the parameters that want one, of a loss in which no two logits are alike."""
    logits, _ = forward(model, batch)
    wanted = {name: one for name, one in model.named_parameters() if one.requires_grad}
    loss = (logits * torch.linspace(-1, 1, logits.numel(), dtype=logits.dtype).view_as(logits))[batch.real].sum()
    found = torch.autograd.grad(loss, list(wanted.values()), allow_unused=True)
    return {name: one for name, one in zip(wanted, found, strict=True) if one is not None}


def same(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> None:
    assert ours.keys() == theirs.keys() != set()
    for name, one in ours.items():
        close(one, theirs[name], 1e-12)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_of_a_model_in_use_is_a_model_of_its_own(model, copied):
    before = gradients(model)
    twin = copied(model)
    same(gradients(twin), before)
    with torch.no_grad():
        for one in twin.parameters():
            one.zero_()
    same(gradients(model), before)


def test_frozen_parameters_leave_the_others_their_gradients(model):
    """As fine-tuned systems freeze those that they took over; each is frozen once."""
    expected, parameters = gradients(model), dict(model.named_parameters())
    for frozen in (list(parameters)[::2], list(parameters)[1::2]):
        for name, one in parameters.items():
            one.requires_grad_(name not in frozen)
        same(gradients(model), {name: one for name, one in expected.items() if name not in frozen})


@pytest.mark.parametrize("without", [torch.no_grad, torch.inference_mode])
def test_without_gradients_and_then_with_them(model, without):
    expected, (logits, _) = gradients(model), forward(model, BATCH)
    with without():
        ours, _ = forward(model, BATCH)
    assert not ours.requires_grad
    close(ours, logits.detach(), 0)
    same(gradients(model), expected)


def test_two_threads_train_one_model(model):
    """Each gets the gradients of its own batch."""
    expected = gradients(model, BATCH), gradients(model, OTHER)
    with ThreadPoolExecutor(2) as threads:
        for _ in range(5):
            found = threads.map(lambda batch: gradients(model, batch), (BATCH, OTHER))
            for ours, alone in zip(found, expected, strict=True):
                same(ours, alone)


def steps(wrap: Callable[[Tensor], Tensor], keys: Tensor, weight: Tensor, watched: Callable[[Tensor], None]) -> Tensor:
    """Two steps over the same keys with the same weight; ``watched`` gets the query of the first."""
    keys, weight, total = wrap(keys), wrap(weight), 0
    for i in range(2):
        query = linear(keys[:, i].detach(), weight)
        if i == 0:
            watched(query)
        alpha = attention_weights(keys, query, weight[0], keys[..., 0].detach() < 9)
        total = total + weighted_sum(alpha, keys).square().sum()
    return total


def test_a_backward_that_was_interrupted_leaves_nothing_behind():
    """Neither in the graph, should it be kept, nor for the next."""
    keys, weight = torch.randn(3, 4, 5, dtype=torch.float64), torch.randn(5, 5, dtype=torch.float64)
    inputs, interrupt = [keys.requires_grad_(), weight.requires_grad_()], [True]

    def stop(grad: Tensor) -> None:
        if interrupt.pop():
            raise KeyError("once")

    expected = torch.autograd.grad(steps(lambda x: x, *inputs, lambda query: None), inputs)
    total = steps(accumulate_grad, *inputs, lambda query: query.register_hook(stop))
    with pytest.raises(KeyError):
        torch.autograd.grad(total, inputs, retain_graph=True)
    interrupt.append(False)
    for graph in (total, steps(accumulate_grad, *inputs, lambda query: None)):
        for ours, theirs in zip(torch.autograd.grad(graph, inputs), expected, strict=True):
            close(ours, theirs, 1e-12)
