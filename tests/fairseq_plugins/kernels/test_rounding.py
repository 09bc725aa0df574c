"""Products of factors rounded to bf16: held to float64, to PyTorch's own operations, and to fp32 where none rounds."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import gathered_parameters
from fairseq_plugins.kernels import (
    accumulate_grad,
    constant_weights,
    linear,
    linear_once,
    linear_onto,
    native,
    padded_gru,
    products,
    use_products,
)
from tests.helpers.support import close

# (M, K, N): rows, inputs, outputs; less and more than what is multiplied at a time, and the study's
SHAPES = [(1, 1, 1), (7, 5, 3), (65, 97, 130), (64, 64, 64), (33, 513, 65), (40, 70, 2100), (120, 512, 1536)]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


@pytest.fixture(autouse=True)
def rounding() -> Iterator[None]:
    """Both implementations round."""
    with products("bf16"):
        yield


pytestmark = pytest.mark.usefixtures("implementation")


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed + sum(shape)))


def rounded(x: Tensor) -> Tensor:
    return x.detach().bfloat16().double()


def near(found: Tensor, expected: Tensor, inner: int) -> None:
    """Nothing but the sums, of ``inner`` exact products each, is rounded to fp32."""
    largest = torch.finfo(torch.float32).eps * max(inner, 2) ** 0.5 * expected.abs().max().clamp(min=1)
    close(found.double(), expected, float(largest))


@shapes
def test_products_are_those_of_rounded_factors(shape):
    """Forward, by the input and by the weight; the bias and its gradient are not rounded."""
    M, K, N = shape
    x, W, b = (one.requires_grad_() for one in (random(M, K), random(N, K, seed=1), random(N, seed=2)))
    grad = random(M, N, seed=3)
    found = linear(x, W, b)
    found.backward(grad)
    assert found.dtype == x.grad.dtype == W.grad.dtype == torch.float32
    near(found.detach(), rounded(x) @ rounded(W).t() + b.detach().double(), K)
    near(x.grad, rounded(grad) @ rounded(W), N)
    near(W.grad, rounded(grad).t() @ rounded(x), M)
    near(b.grad, grad.double().sum(0), M)


@shapes
def test_products_are_off_by_no_more_than_two_roundings(shape):
    """|a b - rounded a rounded b| <= (2 u + u^2) |a| |b|, u half of bf16's epsilon."""
    M, K, N = shape
    x, W = random(M, K), random(N, K, seed=1)
    unit = torch.finfo(torch.bfloat16).eps / 2
    bound = (2 * unit + unit**2) * (x.double().abs() @ W.double().abs().t()) + 1e-4
    off = (linear(x, W).double() - x.double() @ W.double().t()).abs()
    assert (off <= bound).all()
    assert off.max() > 0 or K == 1


def steps(x: Tensor, W: Tensor, b: Tensor) -> Tensor:
    """A recurrence through one weight, its input in three dimensions and rows that lie apart."""
    h = x[:, 0]
    for i in range(x.shape[1]):
        h = torch.tanh(linear(h, W, b) + linear(x[:, i : i + 1], W).squeeze(1))
    return h.square().sum()


def test_gathered_weights_have_the_same_gradients():
    """Their steps are multiplied in one go; so is what an interrupted pass has left: not at all."""
    inputs = [one.requires_grad_() for one in (random(9, 4, 40), random(40, 40, seed=1), random(40, seed=2))]
    expected = torch.autograd.grad(steps(*inputs), inputs)
    total = steps(inputs[0], *map(accumulate_grad, inputs[1:]))
    for _ in range(2):
        for ours, theirs in zip(torch.autograd.grad(total, inputs, retain_graph=True), expected, strict=True):
            close(ours, theirs, 2e-4)


def test_a_gathered_weight_may_be_more_than_a_factor():
    W = random(40, 40).requires_grad_()
    x = random(9, 40, seed=1)

    def loss(weight: Tensor) -> Tensor:
        return (linear(x, weight) * x).sum() + (weight * weight).sum()

    (expected,), (found,) = (torch.autograd.grad(loss(one), W) for one in (W, accumulate_grad(W)))
    close(found, expected, 1e-5)


def test_rows_and_weights_may_lie_apart():
    wide, W = random(6, 90).requires_grad_(), random(50, 80, seed=1).requires_grad_()
    found = linear(wide[:, 10:50], W[:, 30:70])
    expected = linear(wide[:, 10:50].clone(), W[:, 30:70].clone())
    assert torch.equal(found, expected)
    grads = (torch.autograd.grad(each.square().sum(), (wide, W)) for each in (found, expected))
    assert all(torch.equal(*pair) for pair in zip(*grads, strict=True))
    assert torch.equal(linear(wide.t()[10:50].t(), W[:, 30:70]), expected)


def test_nothing_is_a_product_of_nothing():
    x, W = torch.empty(0, 5, requires_grad=True), random(3, 5).requires_grad_()
    linear(x, W).sum().backward()
    assert x.grad.shape == (0, 5) and torch.equal(W.grad, torch.zeros(3, 5))


def test_a_padded_gru_is_that_of_rounded_products(implementation):
    """As PyTorch's own operations make it; U and the states before each step are the factors."""
    inputs = [one.requires_grad_() for one in (random(3, 4, 24), random(24, 8, seed=1), random(24, seed=2))]
    mask = torch.tensor([[1.0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]])
    scale = random(3, 4, 8, seed=3)

    def passed() -> list[Tensor]:
        states, last = padded_gru(*inputs, mask)
        return [states, last, *torch.autograd.grad((states * scale).sum() + last.sum(), inputs)]

    found = passed()
    h = torch.zeros(3, 8)
    product = rounded(h) @ rounded(inputs[1]).t() + inputs[2].double()
    r, z, n = (inputs[0][:, 0].double() + product * torch.tensor([1.0, 1, 0]).repeat_interleave(8)).chunk(3, -1)
    new = (1 - torch.sigmoid(z)) * torch.tanh(n + torch.sigmoid(r) * product[:, 16:])
    close(found[0][:, 0].double(), new * mask[:, :1].double(), 1e-6)
    with products("fp32"):
        exact = passed()
    for ours, theirs in zip(found, exact, strict=True):
        assert 0 < (ours - theirs).norm() < 0.02 * theirs.norm()


@pytest.mark.parametrize("implementation", ["native"], indirect=True)
def test_both_implementations_agree(monkeypatch, implementation):
    inputs = [one.requires_grad_() for one in (random(30, 5, 24), random(24, 8, seed=1), random(24, seed=2))]
    mask = torch.ones(30, 5)
    mask[::2, 3:] = 0

    def passed() -> list[Tensor]:
        states, last = padded_gru(*inputs, mask)
        return [states, last, *torch.autograd.grad(states.square().sum() + last.sum(), inputs)]

    found = passed()
    monkeypatch.setattr(native, "operations", lambda: None)
    for ours, theirs in zip(found, passed(), strict=True):
        close(
            ours, theirs, 1e-2 * float(theirs.detach().abs().max())
        )  # a sum on the edge of two roundings goes either way


def test_a_node_rounds_in_its_gradient_as_it_did_before():
    x, W = random(4, 40).requires_grad_(), random(30, 40, seed=1).requires_grad_()
    expected = torch.autograd.grad(linear(x, W).square().sum(), (x, W))
    total = linear(x, W).square().sum()
    with products("fp32"):
        found = torch.autograd.grad(total, (x, W))
        total = linear(x, W).square().sum()
    exact = torch.autograd.grad(total, (x, W))
    for ours, rounded_one, precise in zip(found, expected, exact, strict=True):
        assert torch.equal(ours, rounded_one) and not torch.equal(ours, precise)


@pytest.mark.parametrize("used", [linear, linear_once], ids=lambda f: f.__name__)
def test_fp32_is_what_pytorch_multiplies(used):
    x, W, b = random(4, 3, 40), random(30, 40, seed=1), random(30, seed=2)
    with products("fp32"):
        close(used(x, W, b), nn.functional.linear(x, W, b), 1e-5)
        assert not torch.equal(used(x, W, b), used(rounded(x).float(), rounded(W).float(), b))
        assert torch.equal(linear_onto(x[:, 0] @ W.t(), x[:, 0], W), torch.addmm(x[:, 0] @ W.t(), x[:, 0], W.t()))
    assert torch.equal(used(x, W, b), used(rounded(x).float(), rounded(W).float(), b))


def test_doubles_are_not_rounded():
    x, W = random(4, 40).double(), random(30, 40).double()
    close(linear(x, W), x @ W.t(), 1e-12)


def test_the_number_of_threads_changes_nothing():
    def passed() -> list[Tensor]:
        x, W = random(700, 300).requires_grad_(), random(500, 300, seed=1).requires_grad_()
        found = linear(x, W)
        return [found, *torch.autograd.grad(found.square().sum(), (x, W))]

    if native.operations() is None:
        pytest.skip("PyTorch's own products are its own affair")
    threads, alone = torch.get_num_threads(), passed()
    try:
        for count in (1, 2, 3):
            torch.set_num_threads(count)
            assert all(torch.equal(*pair) for pair in zip(passed(), alone, strict=True))
    finally:
        torch.set_num_threads(threads)


def test_weights_are_rounded_anew_once_they_may_change():
    layer, x = nn.Linear(40, 30), random(4, 40)
    with torch.inference_mode(), constant_weights():
        expected = linear(x, layer.weight)
        for k in range(5):  # a temporary tensor may lie where another one has been
            assert torch.equal(linear(x, layer.weight * 2**k), 2**k * expected)
            assert torch.equal(linear(x, layer.weight), expected)
    with torch.no_grad():
        layer.weight.mul_(2)
        assert torch.equal(linear(x, layer.weight), 2 * expected)


@pytest.mark.parametrize("implementation", ["native"], indirect=True)
def test_weights_that_stay_are_rounded_once(implementation):
    """Whoever moves one breaks his word; here it shows that nobody looks at it again."""
    layer, x = nn.Linear(40, 30), random(4, 40)
    with torch.no_grad(), constant_weights():
        expected = linear(x, layer.weight)
        layer.weight.zero_()
        assert torch.equal(linear(x, layer.weight), expected)


def test_a_weight_that_has_moved_is_rounded_anew():
    """Of one batch to the next; gathered, as the decoder loop does."""
    layer, x = nn.Linear(40, 30), random(4, 40)
    for _ in range(2):
        with gathered_parameters(layer):
            found = linear(x, layer.weight, layer.bias)
        near(found.detach(), rounded(x) @ rounded(layer.weight).t() + layer.bias.detach().double(), 40)
        with torch.no_grad():
            layer.weight.add_(1)


def test_only_two_kinds_of_factors_are_known():
    with pytest.raises(ValueError, match="in fp32 or bf16, not in 'fp16'"):
        use_products("fp16")
