"""What the kernels in Triton share: tensors seen as rows of words in sentences, and sizes of blocks."""

import torch
import triton
import triton.language as tl
from torch import Tensor

TILE = 4096  # numbers that one program holds of a tensor: 32 for each of its 128 threads


def wide(x: Tensor) -> tl.dtype:
    """The type to compute and add up in."""
    return tl.float64 if x.dtype == torch.float64 else tl.float32


def dense_rows(x: Tensor) -> Tensor:
    """``x`` with elements of a row side by side; rows may lie apart, as slices of a larger product do."""
    return x if x.stride(-1) == 1 or x.shape[-1] == 1 else x.contiguous()


def sentences_and_words(x: Tensor) -> tuple[int, int]:
    """B and S of ``(B, S, W)``, ``(B, 1, W)``, ``(B, W)`` or ``(W)``: 1 for what is shared."""
    return x.shape[0] if x.dim() > 1 else 1, x.shape[1] if x.dim() > 2 else 1


def strides(x: Tensor) -> tuple[int, int]:
    """From sentence to sentence and from word to word: 0 where they share a row."""
    sentences, words = sentences_and_words(x)
    return x.stride(0) if sentences > 1 else 0, x.stride(1) if words > 1 else 0


def shared_sum(rows: Tensor, of: Tensor) -> Tensor:
    """The gradient of ``of`` from those of its uses ``(B, S, W)``: the sum over what shares a row."""
    shared = [k for k, size in enumerate(sentences_and_words(of)) if size < rows.shape[k]]
    return (rows.sum(shared) if shared else rows).reshape(of.shape).to(of.dtype)


def tile(words: int, width: int) -> tuple[int, int]:
    """Sizes of a block, powers of 2, that holds all words of a sentence and as much of each row as is worth it."""
    of_words = triton.next_power_of_2(words)
    return of_words, min(triton.next_power_of_2(width), max(16, TILE // of_words))
