"""Sums of rows weighted by attention, in Triton."""

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from fairseq_plugins.kernels.triton_rows import dense_rows, strides, tile, wide


@triton.jit(do_not_specialize=("S", "w_b"))  # one for sentences of all lengths
def _forward(out, S, C, weights, w_b, w_j, values, x_b, x_j,
             WIDE: tl.constexpr, WORDS: tl.constexpr, COLUMNS: tl.constexpr):  # fmt: skip
    """A program some columns of a sentence."""
    b = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, WORDS)
    c = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (j < S)[:, None] & (c < C)[None, :]
    alpha = tl.load(weights + b * w_b + j * w_j, j < S, 0).to(WIDE)
    x = tl.load(values + b * x_b + j[:, None] * x_j + c[None, :], inside, 0).to(WIDE)
    tl.store(out + b * C + c, tl.sum(alpha[:, None] * x, 0), c < C)


@triton.jit(do_not_specialize=("S", "w_b"))  # one for sentences of all lengths
def _backward(grad, d_weights, d_values, S, C, weights, w_b, w_j, values, x_b, x_j,
              OF_VALUES: tl.constexpr, WIDE: tl.constexpr, WORDS: tl.constexpr, COLUMNS: tl.constexpr):  # fmt: skip
    """A program a sentence."""
    b = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, WORDS)
    alpha = tl.load(weights + b * w_b + j * w_j, j < S, 0).to(WIDE)
    along = tl.zeros((WORDS,), WIDE)
    for first in range(0, C, COLUMNS):
        c = first + tl.arange(0, COLUMNS)
        inside = (j < S)[:, None] & (c < C)[None, :]
        arriving = tl.load(grad + b * C + c, c < C, 0).to(WIDE)[None, :]
        along += tl.sum(tl.load(values + b * x_b + j[:, None] * x_j + c[None, :], inside, 0).to(WIDE) * arriving, 1)
        if OF_VALUES:
            tl.store(d_values + (b * S + j[:, None]) * C + c[None, :], alpha[:, None] * arriving, inside)
    tl.store(d_weights + b * S + j, along, j < S)


class WeightedSum(torch.autograd.Function):
    """``kernels.weighted_sum``."""

    @staticmethod
    def forward(ctx, weights: Tensor, values: Tensor) -> Tensor:
        values = dense_rows(values)
        B, S, C = values.shape
        out = values.new_empty(B, C)
        words, columns = tile(S, C)
        _forward[(B, triton.cdiv(C, columns))](
            out, S, C, weights, *weights.stride(), values, *strides(values),
            WIDE=wide(values), WORDS=words, COLUMNS=columns,
        )  # fmt: skip
        ctx.save_for_backward(weights, values)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor | None]:
        weights, values = ctx.saved_tensors
        B, S, C = values.shape
        d_weights = torch.empty_like(weights, memory_format=torch.contiguous_format)
        of_values = ctx.needs_input_grad[1]
        d_values = torch.empty_like(values, memory_format=torch.contiguous_format) if of_values else None
        words, columns = tile(S, C)
        _backward[(B,)](
            grad.contiguous(), d_weights, d_values if of_values else d_weights, S, C,
            weights, *weights.stride(), values, *strides(values),
            OF_VALUES=of_values, WIDE=wide(values), WORDS=words, COLUMNS=columns,
        )  # fmt: skip
        return d_weights, d_values
