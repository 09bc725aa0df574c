"""Sparsemax: the softmax's place is taken by the nearest distribution, most of whose weights are 0."""

import torch
from entmax.activations import SparsemaxFunction
from torch import Tensor

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Term, Widths


class Sparsemax(Term):
    """Martins and Astudillo 2016, Eq. 2: alpha_i = argmin ||p - e_i||^2 over distributions p: max(e_i - tau, 0).

    Family: sparse attention.

    Symbol: sparsemax(e_i)

    Written from: the authors' code (the package ``entmax``).
    """

    name = "sparsemax"
    normalises = True

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()

    def normalise(self, energies: Tensor, scratch: tuple, memory: tuple, state: tuple) -> Tensor:
        return _Sparsemax.apply(energies, -1)


class _Sparsemax(SparsemaxFunction):
    """``entmax``'s, whose own backward pass assigns a number through a mask: tests on a CPU take that for a copy from
    the host, which no CUDA graph may have. The results are the same."""

    @classmethod
    def backward(cls, ctx, grad: Tensor) -> tuple[Tensor, None, None]:
        size, weights = ctx.saved_tensors
        mean = torch.where(weights != 0, grad, 0).sum(-1, keepdim=True) / size.to(weights.dtype)
        return torch.where(weights != 0, grad - mean, 0), None, None
