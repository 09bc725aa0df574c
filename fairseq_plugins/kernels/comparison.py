"""How far results are from those that they should be: for what proves itself before it serves."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from fairseq_plugins.kernels.rounding import rounds_to_bf16

TOLERANCE = {torch.float64: 1e-11, torch.float32: 1e-4, torch.float16: 5e-3, torch.bfloat16: 5e-2}
"""Of ``difference``, by the type of the results. Kernels that are right stay below 2e-6 in fp32, 1e-3 and 1e-2."""
FLOOR = 1e-3  # what is smaller beside the largest number of all may be the rounding of larger ones


def difference(found: Sequence[Tensor | None], expected: Sequence[Tensor | None]) -> float:
    """The largest one, relative to the largest number of its tensor (at least ``FLOOR`` of the largest of all).

    Infinite where shapes, integers or what is None differ, or where only one side is a finite number.
    """
    if [x if x is None else x.shape for x in found] != [x if x is None else x.shape for x in expected]:
        return math.inf
    pairs = [
        (one, other)
        for one, other in zip(found, expected, strict=True)
        if one is not None and other is not None and other.numel()
    ]
    measured = [_apart(one.detach(), other.detach()) for one, other in pairs]
    least = max([FLOOR * size for _, size in measured] + [torch.finfo(torch.float64).tiny])
    return max((apart / max(size, least) for apart, size in measured), default=0.0)


def allowed(expected: Sequence[Tensor | None]) -> float:
    """What ``difference`` may be: of the coarsest type among the results, and the factors of products behind them."""
    kinds = {_coarsest(x) for x in expected if x is not None and x.is_floating_point()}
    return max((TOLERANCE[kind] for kind in kinds), default=0.0)


def in_words(apart: float) -> str:
    """What a ``difference`` says of results."""
    if apart == math.inf:
        return "is no number, or of another shape"
    return f"differs from what PyTorch's operations give, by {apart:.1e} of the largest number"


def sentence(error: BaseException) -> str:
    """Its kind and the first line of what it says."""
    said = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {said[:200]}" if said else type(error).__name__


def _coarsest(x: Tensor) -> torch.dtype:
    """TF32 counts as fp16, which has as many digits. Where sums have another order, a rounding of a factor may flip."""
    if rounds_to_bf16(x):
        return torch.bfloat16
    in_tf32 = x.is_cuda and x.dtype == torch.float32 and torch.get_float32_matmul_precision() != "highest"
    return torch.float16 if in_tf32 else x.dtype


def _apart(one: Tensor, other: Tensor) -> tuple[float, float]:
    """By how much they differ at most, and the largest finite number of ``other``; integers have to be equal."""
    if not other.is_floating_point():
        return (0.0 if torch.equal(one, other) else math.inf), 0.0
    one, other = (x.to(torch.promote_types(x.dtype, torch.float32)) for x in (one, other))
    finite = one.isfinite() & other.isfinite()
    if not (finite | (one == other) | (one.isnan() & other.isnan())).all():
        return math.inf, 0.0
    return float((one - other).masked_fill(~finite, 0).abs().max()), float(other.masked_fill(~finite, 0).abs().max())
