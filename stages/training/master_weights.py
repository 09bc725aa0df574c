"""What fairseq's checkpoints lack in half precision: the weights that are updated, in fp32, and how the loss is scaled.

fairseq makes these weights anew from the rounded ones when a training goes on, so that every update since the last one
that was large enough for a rounding would be lost.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

from fairseq.trainer import Trainer

KEY = "master_weights"
SCALER = ("_iter", "_last_overflow_iter", "_last_rescale_iter", "_overflows_since_rescale")


def master_weights(trainer: Trainer) -> dict[str, Any]:
    """For a checkpoint's ``extra_state``; nothing of a training in fp32."""
    if not hasattr(trainer.optimizer, "fp32_params"):
        return {}
    scaler = trainer.optimizer.scaler
    counts = {} if scaler is None else {name: getattr(scaler, name) for name in SCALER}
    return {KEY: {"weights": [weight.detach() for weight in _weights(trainer)], "scaler": counts}}


@contextmanager
def master_weights_restored() -> Iterator[None]:
    """While it is open, a training that goes on from a checkpoint gets them back."""
    load = Trainer.load_checkpoint

    def load_checkpoint(trainer: Trainer, *arguments: Any, **options: Any) -> dict[str, Any] | None:
        extra_state = load(trainer, *arguments, **options)
        if kept := (extra_state or {}).pop(KEY, None):
            for weight, before in zip(_weights(trainer), kept["weights"], strict=True):
                weight.data.copy_(before)
            for name, value in kept["scaler"].items():
                setattr(trainer.optimizer.scaler, name, value)
        return extra_state

    Trainer.load_checkpoint = load_checkpoint
    try:
        yield
    finally:
        Trainer.load_checkpoint = load


def _weights(trainer: Trainer) -> list[Tensor]:
    """Flattened, one a device, or one for each of the model's."""
    found = trainer.optimizer.fp32_params
    return [found] if torch.is_tensor(found) else list(found.values() if isinstance(found, dict) else found)
