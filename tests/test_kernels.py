"""The kernels with hand-written gradients, the GRU on top of them, and the trees that carry states."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
import support
import torch
from naive.gru import gru
from torch import Tensor, nn

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.numerics import additive_energy, gated_recurrence, masked_softmax, tanh
from fairseq_plugins.core.tree import keep_inactive, select_rows, steps_of, tree_map


def random(*shape: int, seed: int = 0, scale: float = 1.0) -> Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    return torch.randn(*shape, dtype=torch.float64, generator=generator).mul_(scale).requires_grad_()


close = partial(support.close, tolerance=1e-14)


KERNELS = {
    "tanh": (tanh, (random(3, 4, scale=2),)),
    "recurrence of a sentence": (gated_recurrence, (random(3, 15), random(3, 15, seed=1), random(3, 5))),
    "recurrence of every word": (gated_recurrence, (random(3, 2, 15), random(3, 2, 15, seed=1), random(3, 2, 5))),
    "recurrence from itself": (lambda u, h: gated_recurrence(u, h.repeat(1, 3), h), (random(2, 6), random(2, 2))),
    "energy": (additive_energy, (random(3, 4, 5), random(3, 5), random(5))),
    "energy of one word": (additive_energy, (random(1, 1, 5), random(1, 5), random(5))),
    "energy of shared keys": (
        lambda keys, query, v: additive_energy(keys.expand(3, 4, 5), query, v),
        (random(1, 4, 5), random(3, 5), random(5)),
    ),
}


@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_gradcheck(kernel, inputs):
    assert torch.autograd.gradcheck(kernel, inputs)


@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_kernels_leave_their_inputs_alone_and_do_not_need_gradients(kernel, inputs):
    before = [tensor.detach().clone() for tensor in inputs]
    with_gradient = kernel(*inputs)
    with torch.no_grad():
        close(kernel(*inputs), with_gradient, tolerance=0)
    with_gradient.sum().backward(inputs=list(inputs))
    for tensor, copy in zip(inputs, before, strict=True):
        close(tensor.detach(), copy, tolerance=0)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_tanh_is_tanh(dtype):
    x = torch.linspace(-30, 30, 241, dtype=dtype)
    close(tanh(x), torch.tanh(x), tolerance=4 * torch.finfo(dtype).eps)
    close(tanh(x.clone().requires_grad_()).detach(), torch.tanh(x), tolerance=4 * torch.finfo(dtype).eps)


def test_energy_is_v_tanh():
    keys, query, v = random(3, 4, 5), random(3, 5), random(5)
    close(additive_energy(keys, query, v), torch.tanh(keys + query.unsqueeze(1)) @ v)


def test_recurrence_is_the_naive_one_and_torchs():
    """torch keeps a second bias, zero here."""
    ours, theirs = GRU(3, 4).double(), nn.GRUCell(3, 4, dtype=torch.float64)
    for parameter in ours.parameters():
        nn.init.uniform_(parameter, -1, 1)
    u, h = random(5, 3), random(5, 4)
    for to, value in {"weight_ih": ours.W, "weight_hh": ours.U, "bias_ih": ours.b, "bias_hh": torch.zeros(12)}.items():
        getattr(theirs, to).data = value.detach().double()
    found = ours(ours.from_input(u), h)
    close(found, theirs(u, h))
    p = {name: parameter.detach().numpy() for name, parameter in ours.named_parameters()}
    for row in range(5):
        np.testing.assert_allclose(
            found[row].detach(), gru(u[row].detach().numpy(), h[row].detach().numpy(), p), atol=1e-14
        )


def test_what_is_added_to_the_candidate_enters_it_alone():
    cell = GRU(3, 4).double()
    for parameter in cell.parameters():
        nn.init.uniform_(parameter, -1, 1)
    u, h, candidate = random(2, 3), random(2, 4), random(2, 4, seed=5)
    with_bias = GRU(3, 4).double()
    with_bias.load_state_dict(cell.state_dict())
    for row in range(2):
        with_bias.b.data = cell.b.data.clone()
        with_bias.b.data[8:] += candidate[row].detach()
        alone = slice(row, row + 1)
        expected = with_bias(with_bias.from_input(u[alone]), h[alone])
        close(cell(cell.from_input(u), h, candidate)[alone], expected)


@pytest.mark.parametrize(
    ("energies", "mask", "expected"),
    [
        ([0.0, 0.0], [1, 1], [0.5, 0.5]),
        ([0.0, 9.0], [1, 0], [1.0, 0.0]),
        ([3.0], [1], [1.0]),
        ([0.0, float(np.log(3)), 7.0], [1, 1, 0], [0.25, 0.75, 0.0]),
        ([1000.0, 1000.0, 2000.0], [1, 1, 0], [0.5, 0.5, 0.0]),
        ([-1000.0, 1000.0, 0.0], [1, 1, 1], [0.0, 1.0, 0.0]),
    ],
)
def test_masked_softmax(energies, mask, expected):
    found = masked_softmax(torch.tensor([energies], dtype=torch.float64), torch.tensor([mask]).bool())
    close(found, torch.tensor([expected], dtype=torch.float64), tolerance=1e-15)
    assert (found[~torch.tensor([mask]).bool()] == 0).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_softmax_runs_in_at_least_single_precision(dtype):
    """In half precision the sum alone would be off by a per cent; only the rounding of the result may remain."""
    energies = random(4, 300, scale=3).detach().to(dtype)
    found = masked_softmax(energies, torch.ones(4, 300, dtype=torch.bool))
    assert found.dtype == dtype
    inside = torch.promote_types(dtype, torch.float32)
    torch.testing.assert_close(found, energies.to(inside).softmax(-1).to(dtype), rtol=0, atol=0)


def test_gradient_does_not_reach_masked_energies():
    energies = random(2, 3)
    mask = torch.tensor([[True, True, False], [True, False, False]])
    (masked_softmax(energies, mask) * random(2, 3, seed=9)).sum().backward()
    assert energies.grad.isfinite().all()
    assert (energies.grad[~mask] == 0).all()


class Pair(NamedTuple):
    left: tuple
    right: Tensor | None


def tree() -> tuple:
    return Pair((torch.arange(6).view(3, 2), ()), None), torch.arange(12).view(3, 2, 2)


def test_a_tree_keeps_its_form():
    pair, leaf = tree_map(lambda one, other: one + other, tree(), tree())
    assert isinstance(pair, Pair)
    assert pair.left[1] == () and pair.right is None
    close(pair.left[0], 2 * torch.arange(6).view(3, 2))
    close(leaf, 2 * torch.arange(12).view(3, 2, 2))


@pytest.mark.parametrize("other", [(Pair((), None),), (Pair((torch.zeros(1),), None), torch.zeros(1))])
def test_trees_of_different_forms_do_not_mix(other):
    with pytest.raises(ValueError, match="zip"):
        tree_map(torch.add, tree(), other)


def test_select_rows_repeats_and_drops():
    pair, leaf = select_rows(tree(), torch.tensor([2, 2, 0, 1]))
    assert pair.left[0].tolist() == [[4, 5], [4, 5], [0, 1], [2, 3]]
    assert leaf[:, 0, 0].tolist() == [8, 8, 0, 4]


def test_steps_of_hands_out_the_second_dimension():
    for step, (pair, leaf) in enumerate(steps_of(tree(), 2)):
        assert isinstance(pair, Pair)
        assert pair.left[0].tolist() == [step, 2 + step, 4 + step]
        assert pair.left[1] == () and pair.right is None
        close(leaf, tree()[1][:, step])
    assert steps_of((), 3) == [(), (), ()]
    assert steps_of(None, 2) == [None, None]


@pytest.mark.parametrize("steps", [1, 3])
def test_steps_of_trees_with_another_number_of_steps_are_refused(steps):
    with pytest.raises(ValueError):
        steps_of(tree(), steps)


def test_keep_inactive_freezes_rows():
    old = tree()
    new = tree_map(lambda leaf: leaf + 100, old)
    pair, leaf = keep_inactive(torch.tensor([True, False, True]), new, old)
    assert pair.left[0].tolist() == [[100, 101], [2, 3], [104, 105]]
    assert leaf[:, 1, 1].tolist() == [103, 7, 111]


def test_a_growing_state_cannot_be_frozen():
    with pytest.raises(ValueError, match="grows"):
        keep_inactive(torch.tensor([True]), torch.zeros(1, 3), torch.zeros(1, 2))
