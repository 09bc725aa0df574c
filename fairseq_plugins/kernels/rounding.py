"""Whether matrix products round their factors to bf16.

A product of two bf16 numbers is exact in fp32, where products are added up. Whatever is no factor stays in fp32:
weights, states, losses, gradients. A node of the graph rounds in its backward pass if it did in its forward pass.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from fairseq_plugins.kernels import native

FACTORS = ("fp32", "bf16")
DEVICES = ("cpu", "cuda")
_used = "fp32"


def rounds_quickly() -> bool:
    """Whether rounding makes products on this CPU quicker: it has AVX512-BF16 or AMX, and the kernels in C++ are there.

    Elsewhere rounded factors are multiplied in fp32. That gives the same numbers but for the order of sums.
    """
    operations = native.operations()
    return operations is not None and operations.rounds_quickly()


def use_products(factors: str) -> None:
    """From now on, in the whole process, products of fp32 tensors have factors in ``fp32`` or ``bf16``."""
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
    kind = x.device.type
    return _used == "bf16" and x.dtype == torch.float32 and kind in DEVICES and not torch.is_autocast_enabled(kind)
