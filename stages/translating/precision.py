"""Settings that have the factors of matrix products rounded."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from fairseq_plugins.kernels import constant_weights, products
from stages.settings.training import Decoding


def factors_of(precision: str) -> str:
    """What factors are in under a precision, ``fp32`` or ``bf16``."""
    return "bf16" if precision == "bf16_products" else "fp32"


@contextmanager
def decoding_products(decoding: Decoding) -> Iterator[None]:
    """Within it products are as ``decoding.precision`` has them, no weight changes, and no GPU computes in TF32."""
    before = torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    try:
        with products(factors_of(decoding.precision)), constant_weights():
            yield
    finally:
        torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = before
