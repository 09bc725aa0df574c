"""The kernels' own tanh and sigmoid: precise everywhere, and right at the ends."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from fairseq_plugins.kernels import (
    gated_memory,
    native,
)

pytestmark = pytest.mark.skipif(native.operations() is None, reason="the kernels in C++ are not in use")


def near(x: Tensor, exact: Callable[[Tensor], Tensor], ours: Callable[[Tensor], Tensor], relative: float) -> None:
    torch.testing.assert_close(ours(x).double(), exact(x.double()), rtol=relative, atol=1e-37)


def sigmoid(x: Tensor) -> Tensor:
    """The kernels' own: c' = sig(x) 1 + sig(0) tanh(0)."""
    pre = torch.stack((torch.zeros_like(x), x, torch.zeros_like(x), torch.zeros_like(x)), -1)
    return gated_memory(pre, torch.ones(len(x), 1))[1].squeeze(-1)


def tanh(x: Tensor) -> Tensor:
    """The kernels' own: h' = sig(inf) tanh(sig(inf) x + sig(0) tanh(0))."""
    always, never = torch.full_like(x, torch.inf), torch.zeros_like(x)
    return gated_memory(torch.stack((never, always, never, always), -1), x.unsqueeze(-1))[0].squeeze(-1)


EVERYWHERE = torch.cat((torch.linspace(-100, 100, 20001), torch.linspace(-1, 1, 2001)))
NEAR_ZERO = torch.tensor([1.0, 3.0, 0.5]).unsqueeze(1) * torch.logspace(-44, -1, 44, dtype=torch.float64)


def test_tanh_and_sigmoid_are_precise_everywhere():
    small = NEAR_ZERO.float().flatten()
    for x in (EVERYWHERE, small, -small):
        near(x, torch.tanh, tanh, 3e-7)
        near(x, torch.sigmoid, sigmoid, 6e-7)


def test_tanh_and_sigmoid_at_the_ends():
    ends = torch.tensor([-torch.inf, -3e38, -0.0, 0.0, 3e38, torch.inf])
    assert tanh(ends).tolist() == [-1, -1, 0, 0, 1, 1]
    near(ends, torch.sigmoid, sigmoid, 0)
    nan = torch.full((3,), torch.nan)
    assert tanh(nan).isnan().all() and sigmoid(nan).isnan().all()
