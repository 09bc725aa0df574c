"""Whether matrix products on CPUs round their factors to bf16.

A product of two bf16 numbers is exact in fp32, where products are added up. Whatever is no factor stays in fp32:
weights, states, losses, gradients. A node of the graph rounds in its backward pass if it did in its forward pass.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from fairseq_plugins.kernels import native

FACTORS = ("fp32", "bf16")
_used = "fp32"


def cannot_round() -> str | None:
    """Why rounding would be slower here than fp32, or None.

    Whoever sets ``ATTENTION_KERNELS=eager`` wants it all the same: PyTorch's own operations then multiply rounded
    factors in fp32.
    """
    if native.eager_is_wanted():
        return None
    operations = native.operations()
    if operations is None:
        return "the kernels in C++ are missing"
    if not operations.rounds_products():
        return "this processor has no instructions for it (AVX512-BF16 or AMX)"
    return None


def use_products(factors: str) -> None:
    """From now on, in the whole process, products of fp32 tensors on CPUs have factors in ``fp32`` or ``bf16``."""
    global _used
    if factors not in FACTORS:
        raise ValueError(f"factors of products are in {' or '.join(FACTORS)}, not in {factors!r}")
    _used = factors


@contextmanager
def products(factors: str) -> Iterator[None]:
    """``use_products`` within it, and what was used before afterwards."""
    before = _used
    use_products(factors)
    try:
        yield
    finally:
        use_products(before)


@contextmanager
def constant_weights() -> Iterator[None]:
    """Within it no parameter changes: without gradients each is rounded once in this thread, not at every step."""
    operations = native.operations()
    if operations is None:
        yield
        return
    operations.keep_rounded(True)
    try:
        yield
    finally:
        operations.keep_rounded(False)


def rounded_product(first: Tensor, second: Tensor) -> Callable[[Tensor], None]:
    """Rounds both ``(M, K)``, ``(K, N)`` now; what it returns writes their product into an ``(M, N)`` of fp32.

    How long that takes is the limit of what trains with such products; see ``benchmarks``.
    """
    native.operations()
    return torch.classes.attention_kernels.RoundedFactors(first, second).multiply


def rounds_to_bf16(x: Tensor) -> bool:
    """Whether a product with ``x`` rounds its factors."""
    return _used == "bf16" and x.is_cpu and x.dtype == torch.float32 and not torch.is_autocast_enabled("cpu")
