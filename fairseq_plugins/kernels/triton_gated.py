"""The reset-after GRU from its products to its new state in Triton: a program a row."""

from collections.abc import Sequence
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from fairseq_plugins.kernels.triton_math import tanh
from fairseq_plugins.kernels.triton_rows import dense_rows, sentences_and_words, shared_sum, strides, wide


@triton.jit
def _input(part, b, j, k, inside, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j,
           ALSO: tl.constexpr, SCALED: tl.constexpr, WIDE: tl.constexpr):  # fmt: skip
    """from_input + also + scale * scaled of the gate that begins at ``part``."""
    x = tl.load(from_input + b * i_b + j * i_j + part + k, inside, 0).to(WIDE)
    if ALSO:
        x += tl.load(also + b * a_b + j * a_j + part + k, inside, 0).to(WIDE)
    if SCALED:
        factor = tl.load(scale + b * c_b + j * c_j).to(WIDE)
        x += factor * tl.load(scaled + b * x_b + j * x_j + part + k, inside, 0).to(WIDE)
    return x


@triton.jit
def _gates(b, j, k, inside, D, from_state, u_b, u_j, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j,
           scale, c_b, c_j, ALSO: tl.constexpr, SCALED: tl.constexpr, WIDE: tl.constexpr):  # fmt: skip
    """r, z, n, and what r multiplies."""
    x_r = _input(0, b, j, k, inside, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j,
                 ALSO, SCALED, WIDE)  # fmt: skip
    x_z = _input(D, b, j, k, inside, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j,
                 ALSO, SCALED, WIDE)  # fmt: skip
    x_n = _input(2 * D, b, j, k, inside, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j,
                 ALSO, SCALED, WIDE)  # fmt: skip
    u = from_state + b * u_b + j * u_j + k
    u_n = tl.load(u + 2 * D, inside, 0).to(WIDE)
    r = tl.sigmoid(x_r + tl.load(u, inside, 0).to(WIDE))
    z = tl.sigmoid(x_z + tl.load(u + D, inside, 0).to(WIDE))
    return r, z, tanh(x_n + r * u_n), u_n


@triton.jit(do_not_specialize=("S", "m_b", "c_b"))  # one for sentences of all lengths
def _forward(out, S, D, state, h_b, h_j, mask, m_b, m_j, from_state, u_b, u_j, from_input, i_b, i_j,
             also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j, ALSO: tl.constexpr, SCALED: tl.constexpr,
             MASKED: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    b, j = row // S, row % S
    k = tl.arange(0, BLOCK)
    inside = k < D
    _, z, n, _ = _gates(b, j, k, inside, D, from_state, u_b, u_j, from_input, i_b, i_j, also, a_b, a_j,
                        scaled, x_b, x_j, scale, c_b, c_j, ALSO, SCALED, WIDE)  # fmt: skip
    new = n + z * (tl.load(state + b * h_b + j * h_j + k, inside, 0).to(WIDE) - n)
    if MASKED:
        new *= tl.load(mask + b * m_b + j * m_j).to(WIDE)
    tl.store(out + row * D + k, new, inside)


@triton.jit(do_not_specialize=("S", "m_b", "c_b"))  # one for sentences of all lengths
def _backward(grad, d_input, d_from_state, d_state, d_scale, S, D, state, h_b, h_j, mask, m_b, m_j,
              from_state, u_b, u_j, from_input, i_b, i_j, also, a_b, a_j, scaled, x_b, x_j, scale, c_b, c_j,
              ALSO: tl.constexpr, SCALED: tl.constexpr, MASKED: tl.constexpr, WIDE: tl.constexpr,
              BLOCK: tl.constexpr):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    b, j = row // S, row % S
    k = tl.arange(0, BLOCK)
    inside = k < D
    r, z, n, u_n = _gates(b, j, k, inside, D, from_state, u_b, u_j, from_input, i_b, i_j, also, a_b, a_j,
                          scaled, x_b, x_j, scale, c_b, c_j, ALSO, SCALED, WIDE)  # fmt: skip
    arriving = tl.load(grad + row * D + k, inside, 0).to(WIDE)
    if MASKED:
        arriving *= tl.load(mask + b * m_b + j * m_j).to(WIDE)
    kept = arriving * z
    d_n = (arriving - kept) * (1 - n * n)
    d_r = d_n * u_n * r * (1 - r)
    d_z = (tl.load(state + b * h_b + j * h_j + k, inside, 0).to(WIDE) - n) * kept * (1 - z)
    tl.store(d_state + row * D + k, kept, inside)
    of_input = d_input + row * 3 * D + k
    tl.store(of_input, d_r, inside)
    tl.store(of_input + D, d_z, inside)
    tl.store(of_input + 2 * D, d_n, inside)
    of_product = d_from_state + row * 3 * D + k
    tl.store(of_product, d_r, inside)
    tl.store(of_product + D, d_z, inside)
    tl.store(of_product + 2 * D, d_n * r, inside)
    if SCALED:
        x = scaled + b * x_b + j * x_j + k
        along = d_r * tl.load(x, inside, 0).to(WIDE) + d_z * tl.load(x + D, inside, 0).to(WIDE)
        tl.store(d_scale + row, tl.sum(along + d_n * tl.load(x + 2 * D, inside, 0).to(WIDE), 0))


class GatedRecurrence(torch.autograd.Function):
    """``kernels.gated_recurrence``; gates are computed again for the gradient, and rows that words or sentences share
    get the sum of its rows afterwards, in an order that never changes."""

    @staticmethod
    def forward(
        ctx, from_input: Tensor, from_state: Tensor, state: Tensor, also: Tensor | None, scaled: Tensor | None,
        scale: Tensor | None, mask: Tensor | None,
    ) -> Tensor:  # fmt: skip
        rows = [None if x is None else dense_rows(x) for x in (from_input, from_state, state, also, scaled)]
        B, S = map(max, zip(*(sentences_and_words(x) for x in rows if x is not None), strict=True))
        if scale is not None:
            S = max(S, scale.shape[1])
        D = state.shape[-1]
        out = state.new_empty((B, S, D) if state.dim() == 3 else (B, D))
        ctx.save_for_backward(*rows, scale, mask)
        ctx.sizes = B, S, D
        _launch(_forward, (out,), ctx.sizes, (*rows, scale, mask))
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        from_input, from_state, state, also, scaled, scale, _ = ctx.saved_tensors
        B, S, D = ctx.sizes
        d_input, d_from_state = grad.new_empty(B, S, 3 * D), grad.new_empty(B, S, 3 * D)
        d_state = grad.new_empty(B, S, D)
        d_scale = None if scale is None else torch.empty_like(scale, memory_format=torch.contiguous_format)
        found = grad.contiguous(), d_input, d_from_state, d_state, d_state if d_scale is None else d_scale
        _launch(_backward, found, ctx.sizes, ctx.saved_tensors)
        for_also = for_scaled = None
        if also is not None and ctx.needs_input_grad[3]:
            for_also = shared_sum(d_input, also)
        if scaled is not None and ctx.needs_input_grad[4]:
            for_scaled = shared_sum(d_input * scale.unsqueeze(-1), scaled)
        return (
            shared_sum(d_input, from_input), shared_sum(d_from_state, from_state), shared_sum(d_state, state),
            for_also, for_scaled, d_scale, None,
        )  # fmt: skip


def _launch(kernel, results: tuple[Tensor, ...], sizes: tuple[int, int, int], given: Sequence[Any]) -> None:
    from_input, from_state, state, also, scaled, scale, mask = given
    B, S, D = sizes
    block = triton.next_power_of_2(D)

    def placed(x: Tensor | None) -> tuple[Tensor, int, int]:
        """Where a tensor lies; where none is, one that the kernel does not read."""
        return (state, 0, 0) if x is None else (x, *strides(x))

    def numbers(x: Tensor | None) -> tuple[Tensor, int, int]:
        return (state, 0, 0) if x is None else (x, x.stride(0), x.stride(1))

    kernel[(B * S,)](
        *results, S, D, *placed(state), *numbers(mask), *placed(from_state), *placed(from_input), *placed(also),
        *placed(scaled), *numbers(scale), ALSO=also is not None, SCALED=scaled is not None, MASKED=mask is not None,
        WIDE=wide(state), BLOCK=block, num_warps=min(8, max(1, block // 256)),
    )  # fmt: skip
