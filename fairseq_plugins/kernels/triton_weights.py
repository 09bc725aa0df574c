"""Additive attention in Triton: energies, mask and softmax in one kernel."""

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from fairseq_plugins.kernels.triton_math import tanh
from fairseq_plugins.kernels.triton_rows import dense_rows, strides, tile, wide


@triton.jit
def _squashed(b, j, a, inside, A, keys, k_b, k_j, query, q_b, addend, e_b, e_j,
              ADDED: tl.constexpr, WIDE: tl.constexpr):  # fmt: skip
    """tanh(query + keys_j + addend_j), words by columns."""
    t = tl.load(keys + b * k_b + j[:, None] * k_j + a[None, :], inside, 0).to(WIDE)
    t += tl.load(query + b * q_b + a, a < A, 0).to(WIDE)[None, :]
    if ADDED:
        t += tl.load(addend + b * e_b + j[:, None] * e_j + a[None, :], inside, 0).to(WIDE)
    return tanh(t)


@triton.jit(do_not_specialize=("S", "m_b"))  # one for sentences of all lengths
def _forward(out, S, A, v, mask, m_b, m_j, keys, k_b, k_j, query, q_b, addend, e_b, e_j,
             ADDED: tl.constexpr, WIDE: tl.constexpr, WORDS: tl.constexpr, COLUMNS: tl.constexpr):  # fmt: skip
    """A program a sentence."""
    b = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, WORDS)
    energies = tl.zeros((WORDS,), WIDE)
    for first in range(0, A, COLUMNS):
        a = first + tl.arange(0, COLUMNS)
        inside = (j < S)[:, None] & (a < A)[None, :]
        t = _squashed(b, j, a, inside, A, keys, k_b, k_j, query, q_b, addend, e_b, e_j, ADDED, WIDE)
        energies += tl.sum(t * tl.load(v + a, a < A, 0).to(WIDE)[None, :], 1)
    real = tl.load(mask + b * m_b + j * m_j, j < S, 0) != 0
    energies = tl.where(real, energies, float("-inf"))
    exponentials = tl.where(real, tl.exp(energies - tl.max(energies, 0)), 0)
    tl.store(out + b * S + j, exponentials / tl.sum(exponentials, 0), j < S)


@triton.jit(do_not_specialize=("S",))  # one for sentences of all lengths
def _backward(grad, weights, d_keys, d_query, d_v, S, A, v, keys, k_b, k_j, query, q_b, addend, e_b, e_j,
              ADDED: tl.constexpr, OF_WORDS: tl.constexpr, WIDE: tl.constexpr,
              WORDS: tl.constexpr, COLUMNS: tl.constexpr):  # fmt: skip
    """A program some columns of a sentence; ``d_v``: of each sentence."""
    b = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, WORDS)
    a = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (j < S)[:, None] & (a < A)[None, :]
    alpha = tl.load(weights + b * S + j, j < S, 0).to(WIDE)
    arriving = tl.load(grad + b * S + j, j < S, 0).to(WIDE)
    d_energy = alpha * (arriving - tl.sum(alpha * arriving, 0))
    t = _squashed(b, j, a, inside, A, keys, k_b, k_j, query, q_b, addend, e_b, e_j, ADDED, WIDE)
    d = d_energy[:, None] * tl.load(v + a, a < A, 0).to(WIDE)[None, :] * (1 - t * t)
    if OF_WORDS:
        tl.store(d_keys + (b * S + j[:, None]) * A + a[None, :], d, inside)
    tl.store(d_query + b * A + a, tl.sum(d, 0), a < A)
    tl.store(d_v + b * A + a, tl.sum(d_energy[:, None] * t, 0), a < A)


class AttentionWeights(torch.autograd.Function):
    """``kernels.attention_weights``; tanh is computed again for the gradient, so nothing of the keys' size is kept."""

    @staticmethod
    def forward(ctx, keys: Tensor, query: Tensor, v: Tensor, mask: Tensor, addend: Tensor | None) -> Tensor:
        keys, query, v = dense_rows(keys), dense_rows(query), v.contiguous()
        addend = None if addend is None else dense_rows(addend)
        B, S, A = keys.shape
        exact = keys.new_empty(B, S, dtype=torch.promote_types(keys.dtype, torch.float32))
        words, columns = tile(S, A)
        real = mask.view(torch.uint8)
        _forward[(B,)](
            exact, S, A, v, real, real.stride(0), real.stride(1), *_inside_tanh(keys, query, addend),
            ADDED=addend is not None, WIDE=wide(keys), WORDS=words, COLUMNS=columns,
        )  # fmt: skip
        ctx.save_for_backward(keys, query, v, addend, exact)
        return exact.to(keys.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: Tensor) -> tuple[Tensor | None, ...]:
        keys, query, v, addend, exact = ctx.saved_tensors
        B, S, A = keys.shape
        of_addend = addend is not None and ctx.needs_input_grad[4]
        of_words = ctx.needs_input_grad[0] or of_addend
        d_query = torch.empty_like(query, memory_format=torch.contiguous_format)
        d_v = exact.new_empty(B, A)
        d_keys = torch.empty_like(keys, memory_format=torch.contiguous_format) if of_words else None
        words, columns = tile(S, A)
        _backward[(B, triton.cdiv(A, columns))](
            grad.contiguous(), exact, d_keys if of_words else d_query, d_query, d_v, S, A, v,
            *_inside_tanh(keys, query, addend),
            ADDED=addend is not None, OF_WORDS=of_words, WIDE=wide(keys), WORDS=words, COLUMNS=columns,
        )  # fmt: skip
        return d_keys, d_query, d_v.sum(0).to(v.dtype), None, d_keys if of_addend else None


def _inside_tanh(keys: Tensor, query: Tensor, addend: Tensor | None) -> tuple[Tensor | int, ...]:
    """Where what stands inside the tanh lies; without an addend, a tensor that the kernel does not read."""
    added = (query, 0, 0) if addend is None else (addend, *strides(addend))
    return (keys, *strides(keys), query, strides(query)[0], *added)
