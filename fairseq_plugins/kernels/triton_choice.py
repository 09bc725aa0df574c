"""Whether the kernels in Triton, for NVIDIA GPUs, can serve: they need nothing built, only the package."""

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

from torch import Tensor

from fairseq_plugins.kernels.native import CHOICE


class Operations(NamedTuple):
    """What exists in Triton; the arguments are those of ``fairseq_plugins.kernels``, in its order and all given."""

    gated_recurrence: Callable[..., Tensor]
    attention_weights: Callable[..., Tensor]
    weighted_sum: Callable[..., Tensor]


@cache
def operations() -> Operations | None:
    """The kernels in Triton, or None without the package (a torch for CPUs brings none) or where the environment
    variable ``ATTENTION_KERNELS`` asks for ``eager``."""
    if os.environ.get(CHOICE) == "eager" or find_spec("triton") is None:
        return None
    from fairseq_plugins.kernels import triton_gated, triton_sum, triton_weights  # they import triton

    return Operations(
        triton_gated.GatedRecurrence.apply, triton_weights.AttentionWeights.apply, triton_sum.WeightedSum.apply
    )


def version() -> str:
    """That of the package."""
    import triton

    return triton.__version__
