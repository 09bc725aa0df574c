"""The kernels with hand-written gradients, and the GRU on top of them."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.gru import GRU
from fairseq_plugins.core.linear import Linear, gathered_parameters
from fairseq_plugins.core.padded_gru import padded_gru as rnn_over_padded
from fairseq_plugins.core.padded_lstm import padded_lstm
from fairseq_plugins.kernels import (
    accumulate_grad,
    attention_weights,
    energies,
    gated_memory,
    gated_recurrence,
    linear,
    masked_softmax,
    native,
    padded_gru,
    smoothed_nll,
    weighted_sum,
    write_memory,
)
from tests.helpers import support
from tests.helpers.torch_cells import load
from tests.naive.gru import gru


def random(*shape: int, seed: int = 0, scale: float = 1.0) -> Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    return torch.randn(*shape, dtype=torch.float64, generator=generator).mul_(scale).requires_grad_()


close = partial(support.close, tolerance=1e-14)


pytestmark = pytest.mark.usefixtures("implementation")
MASK = torch.tensor([[1, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=torch.float64).unsqueeze(-1)
REAL = MASK.squeeze(-1).bool()
IN_FRONT = torch.tensor([[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=torch.float64)  # padded on the right


def scaled(scaled_shape: tuple, from_input_shape: tuple, also_shape: tuple | None = None):
    """A GRU of every word whose input is b + also + alpha x, with a mask; shapes of x, b and the other addend."""

    def kernel(u, h, b, x, alpha, *also):
        given = {"also": also[0]} if also else {}
        return gated_recurrence(b, u, h, scaled=x, scale=alpha, mask=MASK, **given)

    rest = [random(*also_shape, seed=3)] if also_shape else []
    fixed = random(3, 4, 15), random(3, 4, 5), random(*from_input_shape), random(*scaled_shape, seed=2), random(3, 4)
    return kernel, (*fixed, *rest)


def weights_of(keys, query, v, *addend):
    return attention_weights(keys, query, v, REAL, *addend)


def energies_of(keys, query, v, *addend, x=None, W=None):
    """Of the real words."""
    return energies(keys, query, v, REAL, *addend, features=x, of_features=W)[REAL]


KERNELS = {
    "recurrence of a sentence": (gated_recurrence, (random(3, 15), random(3, 15, seed=1), random(3, 5))),
    "recurrence of every word": (gated_recurrence, (random(3, 2, 15), random(3, 2, 15, seed=1), random(3, 2, 5))),
    "recurrence from itself": (lambda u, h: gated_recurrence(u, h.repeat(1, 3), h), (random(2, 6), random(2, 2))),
    "sentences meet words": (gated_recurrence, (random(3, 1, 15), random(3, 4, 15), random(3, 4, 5))),
    "words meet sentences": (gated_recurrence, (random(3, 4, 15), random(3, 1, 15), random(3, 1, 5))),
    "source history": scaled((3, 4, 15), (15,)),
    "target history": scaled((3, 1, 15), (15,)),
    "NN coverage": scaled((15,), (3, 4, 15), (3, 1, 15)),
    "coverage embedding": scaled((15,), (3, 1, 15)),
    "slices of a larger product": (
        lambda x, both, h: gated_recurrence(x, both[..., 2:17], h),
        (random(3, 4, 15), random(3, 4, 20), random(3, 4, 5)),
    ),
    "energies": (energies_of, (random(3, 4, 5), random(3, 5), random(5))),
    "energies with everything": (
        lambda keys, query, v, one, other, x, W: energies_of(keys, query, v, one, other, x=x, W=W),
        (random(3, 4, 5), random(3, 5), random(5), random(3, 4, 5, seed=4), random(3, 4, 5, seed=5), random(3, 4, 2),
         random(5, 2)),
    ),
    "weights": (weights_of, (random(3, 4, 5), random(3, 5), random(5))),
    "weights with an addend of every word": (
        weights_of, (random(3, 4, 5), random(3, 5), random(5), random(3, 4, 5, seed=4)),
    ),
    "weights with three addends": (
        weights_of,
        (random(3, 4, 5), random(3, 5), random(5), *(random(3, 4, 5, seed=seed) for seed in (4, 5, 6))),
    ),
    "weights of features": (
        lambda keys, query, v, x, W: attention_weights(keys, query, v, REAL, features=x, of_features=W),
        (random(3, 4, 5), random(3, 5), random(5), random(3, 4, 2), random(5, 2)),
    ),
    "weights over shared keys": (
        lambda keys, query, v: weights_of(keys.expand(3, 4, 5), query, v), (random(1, 4, 5), random(3, 5), random(5)),
    ),
    "weighted sum": (weighted_sum, (random(3, 4), random(3, 4, 6))),
    "written memory": (write_memory, (random(3, 4, 6), random(3, 4), random(3, 6), random(3, 6, seed=1))),
    "written memory that forgets nothing": (write_memory, (random(3, 4, 6), random(3, 4), random(3, 6))),
    "memory of an LSTM": (gated_memory, (random(3, 20), random(3, 5))),
    "linear": (linear, (random(3, 4, 5), random(2, 5), random(2))),
    "padded GRU": (
        lambda x, U, b: padded_gru(x, U, b, IN_FRONT), (random(3, 4, 12), random(12, 4), random(12)),
    ),
    "padded GRU that reads from the end": (
        lambda x, U, b: padded_gru(x, U, b, IN_FRONT.flip(1)), (random(3, 4, 12), random(12, 4), random(12)),
    ),
    "smoothed loss": (lambda logits: smoothed_nll(logits, TARGET, 0.1, 1)[0], (random(5, 7),)),
    "smoothed loss of candidates": (
        lambda logits: smoothed_nll(logits.masked_fill(NONE, -math.inf), TARGET, 0.1, 1)[0], (random(5, 7),),
    ),
}  # fmt: skip
NONE = torch.tensor([[0, 1, 0, 0, 1, 1, 0], [0] * 7, [0, 1, 1, 1, 1, 1, 1], [1] * 6 + [0], [0] * 7]).bool()
TARGET = torch.tensor([3, 1, 0, 6, 5])


@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_gradcheck(kernel, inputs):
    assert torch.autograd.gradcheck(kernel, inputs)


@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("without", [torch.no_grad, torch.inference_mode])
def test_kernels_leave_their_inputs_alone_and_do_not_need_gradients(without, kernel, inputs):
    def total(found):
        return sum(one.sum() for one in found) if isinstance(found, tuple) else found.sum()

    before = [tensor.detach().clone() for tensor in inputs]
    with_gradient = total(kernel(*inputs))
    with without():
        close(total(kernel(*inputs)), with_gradient, tolerance=0)
    with_gradient.backward(inputs=list(inputs))
    for tensor, copy in zip(inputs, before, strict=True):
        close(tensor.detach(), copy, tolerance=0)


@pytest.mark.parametrize("impossible", [torch.zeros(5, 7).bool(), NONE], ids=["all words", "candidates"])
def test_what_the_smoothed_loss_takes_from_the_target_goes_to_the_others(impossible):
    logits, expected = random(5, 7).detach().masked_fill(impossible, -math.inf), 0.0
    for row, y in zip(logits.log_softmax(-1), TARGET.tolist(), strict=True):
        others = [-row[k] for k in range(7) if k != y and row[k].isfinite()]
        if y != 1:  # padding
            expected += 0.9 * -row[y] + (0.1 * sum(others) / len(others) if others else 0)
    close(smoothed_nll(logits, TARGET, 0.1, 1)[0], expected, tolerance=1e-12)


def test_weights_are_the_softmax_of_v_tanh():
    keys, query, v = random(3, 4, 5), random(3, 5), random(5)
    expected = masked_softmax(torch.tanh(keys + query.unsqueeze(1)) @ v, REAL)
    close(attention_weights(keys, query, v, REAL), expected)
    assert (attention_weights(keys, query, v, REAL)[~REAL] == 0).all()


def test_energies_are_what_weights_are_the_softmax_of():
    inputs = random(3, 4, 5), random(3, 5), random(5), REAL, random(3, 4, 5, seed=4), random(3, 4, 5, seed=5)
    features = {"features": random(3, 4, 2), "of_features": random(5, 2)}
    found = energies(*inputs, **features)
    assert found[~REAL].isneginf().all()
    close(found.softmax(-1), attention_weights(*inputs, **features))


def loop(wrap, keys, values, x, v, weight):
    """Three steps that use everything three times, and the keys once beside the kernels."""
    used, total = [wrap(one) for one in (keys, values, x, weight)], 0
    for i in range(1, 4):
        alpha = attention_weights(used[0], linear(values[:, 0] * i, used[3]), v, REAL)
        state = gated_recurrence(v.new_zeros(15), used[2], values, scaled=used[2], scale=alpha, mask=MASK)
        total = total + weighted_sum(alpha, used[1]).sin().sum() + state.cos().sum()
    return total + used[0].square().sum()


def test_gathered_gradients_are_the_gradients():
    """Also gone through twice, and of some inputs alone in between."""
    inputs = random(3, 4, 5), random(3, 4, 5, seed=1), random(3, 4, 15), random(5), random(5, 5)
    expected = torch.autograd.grad(loop(lambda one: one, *inputs), inputs)
    total = loop(accumulate_grad, *inputs)
    for _ in range(2):
        for one, other in zip(torch.autograd.grad(total, inputs, retain_graph=True), expected, strict=True):
            close(one, other, tolerance=1e-12)
        (alone,) = torch.autograd.grad(total, inputs[3:4], retain_graph=True)
        close(alone, expected[3], tolerance=1e-12)


def test_parameters_are_gathered_for_a_while():
    layer = Linear(3, 2)
    with pytest.raises(KeyError), gathered_parameters(layer):
        assert layer.weight is not dict(layer.named_parameters())["weight"] or native.operations() is None
        raise KeyError
    assert isinstance(layer.weight, nn.Parameter) and "weight" not in vars(layer)


def test_padded_gru_is_torchs():
    theirs = nn.GRU(3, 4, bidirectional=True, batch_first=True).double()
    words, mask = random(2, 5, 3), torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    packed = nn.utils.rnn.pack_padded_sequence(words, mask.sum(1), batch_first=True)
    packed, last = theirs(packed)
    states = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)[0]
    ours = rnn_over_padded(theirs, words, mask)
    close(ours[0], states, tolerance=1e-12)
    close(ours[1], last, tolerance=1e-12)


@pytest.mark.parametrize("layers", [1, 3])
def test_stacked_lstms_over_padded_sentences_are_those_over_packed_ones(layers):
    """States and each layer's last ones, and the gradients of both."""
    rnn, words = nn.LSTM(3, 4, layers, batch_first=True, dtype=torch.float64), random(3, 4, 3)
    mask = IN_FRONT.bool()
    packed = nn.utils.rnn.pack_padded_sequence(words, mask.sum(1), batch_first=True, enforce_sorted=False)
    packed, (h, c) = rnn(packed)
    theirs = (nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)[0], h, c)
    states, last = padded_lstm(rnn, words, mask)
    inputs = [words, *rnn.parameters()]
    scales = [random(*one.shape, seed=7).detach() for one in theirs]
    found, expected = (
        [*each, *torch.autograd.grad(sum((x * scale).sum() for x, scale in zip(each, scales, strict=True)), inputs)]
        for each in ((states, *last), theirs)
    )
    for ours, other in zip(found, expected, strict=True):
        close(ours, other, tolerance=1e-12)


def test_recurrence_is_the_naive_one_and_torchs():
    """torch keeps a second bias, zero here."""
    ours, theirs = GRU(3, 4).double(), nn.GRUCell(3, 4, dtype=torch.float64)
    for parameter in ours.parameters():
        nn.init.uniform_(parameter, -1, 1)
    u, h = random(5, 3), random(5, 4)
    load(theirs, ours.W, ours.U, ours.b)
    found = ours(ours.from_input(u), h)
    close(found, theirs(u, h))
    p = {name: parameter.detach().numpy() for name, parameter in ours.named_parameters()}
    for row in range(5):
        np.testing.assert_allclose(
            found[row].detach(), gru(u[row].detach().numpy(), h[row].detach().numpy(), p), atol=1e-14
        )


def test_what_is_added_to_the_candidate_state_enters_it_alone():
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
