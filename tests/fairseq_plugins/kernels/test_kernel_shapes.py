"""The kernels in C++ against PyTorch's own: at the sizes and strides of real use, at the least, and in two threads."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.kernels import (
    accumulate_grad,
    attention_weights,
    gated_memory,
    gated_recurrence,
    linear,
    native,
    padded_gru,
    smoothed_nll,
    weighted_sum,
    write_memory,
)

pytestmark = pytest.mark.skipif(native.operations() is None, reason="the kernels in C++ are not in use")


class Sizes(NamedTuple):
    """B sentences of S words and states of width D."""

    B: int
    S: int
    D: int


WIDE = Sizes(9, 13, 300)  # enough for two threads, and not to be halved
SIZES = {
    "wide": WIDE,
    "one of everything": Sizes(1, 1, 1),
    "one sentence": Sizes(1, 5, 3),
    "one word": Sizes(4, 1, 3),
    "states of width 1": Sizes(3, 4, 1),
    "no sentence": Sizes(0, 4, 3),
}


class Case(NamedTuple):
    """A kernel, and the shapes of its inputs."""

    kernel: Callable[..., Tensor | tuple[Tensor, ...]]
    shapes: tuple[tuple[int, ...], ...]


def plain(x: Tensor) -> Tensor:
    return x


def sliced(x: Tensor) -> Tensor:
    """The same numbers as part of wider rows."""
    return F.pad(x, (1, 2))[..., 1:-2]


def transposed(x: Tensor) -> Tensor:
    """The same numbers, those of a row lying apart."""
    return x if x.dim() < 2 else x.mT.contiguous().mT


def cases(sizes: Sizes, dtype: torch.dtype, layout: Callable[[Tensor], Tensor] = plain) -> dict[str, Case]:
    """``layout``: how the inputs and masks lie in memory."""
    B, S, D = sizes
    real = torch.arange(S) < torch.arange(B).remainder(max(S, 1)).unsqueeze(1) + 1  # (B, S), ragged
    mask = layout(real.to(dtype)).unsqueeze(-1)
    real = layout(real)
    many = 15 * B  # rows of a batch of words
    target = torch.arange(B * S) % (D + 1)
    others = (torch.arange(D + 1) + torch.arange(B * S).unsqueeze(1)) % 3 > 0
    candidates = others & (torch.arange(B * S) % 4 > 0).unsqueeze(1)  # in some rows none
    candidates = candidates.scatter(1, target.unsqueeze(1), True)

    def recurrence(from_input, from_state, state):
        return gated_recurrence(layout(from_input), layout(from_state), layout(state))

    def saturated(from_input, from_state, state):
        return recurrence(6 * from_input, from_state, state)

    def history(from_state, state, b, x, alpha):
        given = {"scaled": layout(x), "scale": layout(alpha), "mask": mask}
        return gated_recurrence(b, layout(from_state), layout(state), **given)

    def coverage(from_state, state, hoisted, also, p, alpha):
        given = {"also": layout(also), "scaled": p, "scale": layout(alpha), "mask": mask}
        return gated_recurrence(layout(hoisted), layout(from_state), layout(state), **given)

    def weights(keys, query, v, *addend):
        return attention_weights(layout(keys), layout(query), v, real, *map(layout, addend))

    def weights_of_features(keys, query, v, x, W, *addend):
        given = {"features": layout(x), "of_features": layout(W)}
        return attention_weights(layout(keys), layout(query), v, real, *map(layout, addend), **given)

    def every_step(x, W, b):
        x, W, b = accumulate_grad(layout(x)), accumulate_grad(layout(W)), accumulate_grad(b)
        steps = linear(x, W, b), linear(x.sin(), W, b), linear(x, W), linear(x[:, :1], W, b), linear(x, W, b)
        return torch.cat([one.flatten() for one in steps])

    def encoder(x, U, b):
        states, last = padded_gru(layout(x), layout(U / D**0.5), b, mask.squeeze(-1))  # else it is chaos
        return torch.cat((states.flatten(), last.flatten()))

    def loss(logits):
        return smoothed_nll(layout(logits), target, 0.1, 1)[0]

    def restricted_loss(logits):
        return loss(logits.masked_fill(~candidates, -torch.inf))

    words, gates = (B, S, D), (B, S, 3 * D)

    def consumed_loss(logits):
        return smoothed_nll(layout(logits).clone(), target, 0.1, 1, consume=True)[0]

    return {
        "a state for each sentence": Case(recurrence, ((many, 3 * D), (many, 3 * D), (many, D))),
        "a state for each word": Case(recurrence, (gates, gates, words)),
        "gates shut and open": Case(saturated, (gates, gates, words)),
        "sentences meet words": Case(recurrence, ((B, 1, 3 * D), gates, words)),
        "words meet sentences": Case(recurrence, (gates, (B, 1, 3 * D), (B, 1, D))),
        "source history": Case(history, (gates, words, (3 * D,), gates, (B, S))),
        "target history": Case(history, (gates, words, (3 * D,), (B, 1, 3 * D), (B, S))),
        "coverage": Case(coverage, (gates, words, gates, (B, 1, 3 * D), (3 * D,), (B, S))),
        "weights": Case(weights, (words, (B, D), (D,))),
        "weights and an addend of each word": Case(weights, (words, (B, D), (D,), words)),
        "weights and two addends": Case(weights, (words, (B, D), (D,), words, words)),
        "weights and three addends": Case(weights, (words, (B, D), (D,), words, words, words)),
        "weights of features": Case(weights_of_features, (words, (B, D), (D,), (B, S, 3), (D, 3))),
        "weights of features and two addends": Case(
            weights_of_features, (words, (B, D), (D,), (B, S, 1), (D, 1), words, words)
        ),
        "weighted sum": Case(lambda alpha, x: weighted_sum(layout(alpha), layout(x)), ((B, S), words)),
        "written memory": Case(
            lambda h, alpha, *rates: write_memory(layout(h), layout(alpha), *map(layout, rates)),
            (words, (B, S), (B, D), (B, D)),
        ),
        "written memory that forgets nothing": Case(
            lambda h, alpha, update: write_memory(layout(h), layout(alpha), layout(update)), (words, (B, S), (B, D))
        ),
        "linear": Case(lambda x, W, b: linear(layout(x), layout(W), b), (words, (2 * D, D), (2 * D,))),
        "linear at every step": Case(every_step, (words, (2 * D, D), (2 * D,))),
        "memory of an LSTM": Case(
            lambda pre, c: torch.cat(gated_memory(layout(pre), layout(c)), -1), ((many, 4 * D), (many, D))
        ),
        "padded GRU": Case(encoder, ((B, S, 3 * D), (3 * D, D), (3 * D,))),
        "smoothed loss": Case(loss, ((B * S, D + 1),)),
        "smoothed loss that consumes": Case(consumed_loss, ((B * S, D + 1),)),
        "smoothed loss of candidates": Case(restricted_loss, ((B * S, D + 1),)),
    }


NAMES = cases(WIDE, torch.float64).keys()


@pytest.fixture
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def of_sizes(sizes: dict[str, Sizes]) -> pytest.MarkDecorator:
    """The wide ones in two threads too: others are too small to be halved."""
    given = [pytest.param(1, one, id=f"one thread-{name}") for name, one in sizes.items()]
    given.append(pytest.param(2, WIDE, id="two threads-wide"))
    return pytest.mark.parametrize(("threads", "sizes"), given, indirect=["threads"])


def inputs_of(case: Case, dtype: torch.dtype) -> list[Tensor]:
    """Of a size that leaves the gates open, whatever the width."""
    generator = torch.Generator().manual_seed(len(case.shapes))
    return [torch.randn(shape, dtype=torch.float64, generator=generator).mul_(0.5).to(dtype) for shape in case.shapes]


def found(case: Case, inputs: list[Tensor], wrap: Callable[[Tensor], Tensor] = plain) -> list[Tensor]:
    """The kernel's result and the gradient of each input."""
    given = [one.clone().requires_grad_() for one in inputs]
    result = case.kernel(*map(wrap, given))
    direction = torch.linspace(-1, 2, result.numel(), dtype=result.dtype).view(result.shape)
    return [result.detach(), *torch.autograd.grad(result, given, direction)]


def equal(ours: list[Tensor], theirs: list[Tensor], relative: float) -> None:
    """Up to a fraction of the largest number of each tensor."""
    for one, other in zip(ours, theirs, strict=True):
        largest = float(other.abs().max()) if other.numel() else 0.0
        torch.testing.assert_close(one, other, rtol=0, atol=relative * max(largest, 1e-3))


def in_pytorch(monkeypatch, case: Case, inputs: list[Tensor]) -> list[Tensor]:
    with monkeypatch.context() as patch:
        patch.setattr(native, "operations", lambda: None)
        return found(case, inputs)


@pytest.mark.parametrize("name", NAMES)
@of_sizes(SIZES)
def test_values_and_gradients_are_pytorchs(monkeypatch, threads, sizes, name):
    case = cases(sizes, torch.float64)[name]
    inputs = inputs_of(case, torch.float64)
    equal(found(case, inputs), in_pytorch(monkeypatch, case, inputs), 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_as_good_as_pytorchs(monkeypatch, name):
    """By the largest error against double precision; what cancels, as the gradient of a query does, is bad in both."""
    precise, single = cases(WIDE, torch.float64)[name], cases(WIDE, torch.float32)[name]
    inputs = inputs_of(single, torch.float32)
    reference = in_pytorch(monkeypatch, precise, [one.double() for one in inputs])
    for exact, ours, theirs in zip(
        reference, found(single, inputs), in_pytorch(monkeypatch, single, inputs), strict=True
    ):
        largest = float(exact.abs().max())
        assert float((ours - exact).abs().max()) <= 4 * float((theirs - exact).abs().max()) + 5e-7 * largest


@pytest.mark.parametrize("layout", [sliced, transposed])
@pytest.mark.parametrize("name", NAMES)
def test_how_inputs_lie_in_memory_does_not_matter(layout, name):
    sizes = Sizes(3, 4, 5)
    inputs = inputs_of(cases(sizes, torch.float64)[name], torch.float64)
    straight = found(cases(sizes, torch.float64)[name], inputs)
    equal(found(cases(sizes, torch.float64, layout)[name], inputs), straight, 1e-13)


@pytest.mark.parametrize("name", NAMES)
@of_sizes({"wide": WIDE, "one word": Sizes(3, 1, 2), "one sentence": Sizes(1, 4, 2)})
def test_gathered_inputs_have_the_same_gradients(threads, sizes, name):
    """What steps add up, and neither the first step nor the last alone."""
    kernel, shapes = cases(sizes, torch.float64)[name]
    case = Case(lambda *given: kernel(*given) + 2 * kernel(*given), shapes)
    inputs = inputs_of(case, torch.float64)
    equal(found(case, inputs, accumulate_grad), found(case, inputs), 1e-13)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wrap", [plain, accumulate_grad])
def test_each_gradient_alone(name, wrap):
    """Whichever inputs want a gradient, it goes to the one that does."""
    case = cases(Sizes(3, 4, 2), torch.float64)[name]
    inputs = inputs_of(case, torch.float64)
    result, *gradients = found(case, inputs)
    direction = torch.linspace(-1, 2, result.numel(), dtype=result.dtype).view(result.shape)
    for k, expected in enumerate(gradients):
        given = [one.clone().requires_grad_(i == k) for i, one in enumerate(inputs)]
        alone = torch.autograd.grad(case.kernel(*map(wrap, given)), given[k], direction)
        equal(list(alone), [expected], 1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_derivative_is_refused(name):
    case = cases(Sizes(3, 4, 2), torch.float64)[name]
    given = [one.requires_grad_() for one in inputs_of(case, torch.float64)]
    with pytest.raises(NotImplementedError, match="second derivative"):
        torch.autograd.grad(case.kernel(*given).sum(), given, create_graph=True)


@pytest.mark.parametrize("threads", [1, 2], indirect=True)
def test_the_same_sums_in_every_run(threads):
    case = cases(WIDE, torch.float32)["coverage"]
    inputs = inputs_of(case, torch.float32)
    for one, other in zip(found(case, inputs), found(case, inputs), strict=True):
        assert torch.equal(one, other)
