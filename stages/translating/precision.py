"""Settings that have the factors of matrix products rounded, and the machines that can do it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from fairseq_plugins.kernels import cannot_round, constant_weights, products
from stages.files.errors import InputError
from stages.settings.training import Decoding


def factors_of(precision: str, setting: str) -> str:
    """What factors are in under a precision, ``fp32`` or ``bf16``; ``setting``: where params.yaml says so.

    Raises:
        InputError: they are to be rounded, and this machine is no quicker with that.
    """
    if precision != "bf16_products":
        return "fp32"
    said = f"params.yaml: {setting} is bf16_products"
    if torch.cuda.is_available():
        raise InputError(f"{said}, which is for CPUs: with a GPU set it to fp32, or in training to tf32 or bf16")
    if reason := cannot_round():
        raise InputError(f"{said}, but {reason}: set it to fp32")
    return "bf16"


@contextmanager
def decoding_products(decoding: Decoding) -> Iterator[None]:
    """Within it products are as ``decoding.precision`` has them, and no weight changes."""
    with products(factors_of(decoding.precision, "decoding.precision")), constant_weights():
        yield
