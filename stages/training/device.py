"""What settings of a training that are `auto` are on the device at hand."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

from stages.files.errors import InputError
from stages.settings.params import PARAMS
from stages.settings.training import AUTO, WITHOUT_GPU, Training
from stages.settings.variants import TrainingSections

MULTIPLE = 8
"""Of lengths, where shapes are recorded: few shapes for little padding, see docs/speed.md."""
ROOM = ((6, 1000), (12, 2000), (float("inf"), 4000))
"""GiB of the GPU, below which -> ``max_tokens``. Larger batches would be fewer updates, and other results. Not of what
is free: that changes while trainings come and go, and one that is resumed must choose what it chose before."""
SHARED = "; max_tokens takes the GPU for its own, so set it where several trainings share one"


class Gpu(NamedTuple):
    """capability: CUDA's; 8.0 is the first that multiplies in TF32."""

    name: str
    bytes: int
    capability: tuple[int, int]


class Here(NamedTuple):
    """settings: with nothing left to choose; chosen: what was `auto`; said: a line about that, empty if nothing was."""

    settings: Training
    chosen: dict[str, Any]
    said: str


def at_hand() -> Gpu | None:
    """The GPU that a training of this process would use."""
    if not torch.cuda.is_available():
        return None
    found = torch.cuda.get_device_properties(0)
    return Gpu(found.name, found.total_memory, (found.major, found.minor))


def training_here(sections: TrainingSections, gpu: Gpu | None) -> Here:
    """The settings of a training on `gpu`, or on a CPU. Raises InputError as `TrainingSections.settings`, and for what
    no loss can be computed with."""
    chosen = choice(sections.keys, gpu)
    settings = sections.settings(chosen)
    if settings.precision == "fp16" and gpu is None:
        raise InputError(f"{PARAMS}: {sections.where}: precision fp16 needs a GPU; set bf16 or fp32")
    if settings.overflow:
        raise InputError(f"{PARAMS}: {sections.where}: {settings.overflow}")
    if chosen in ({}, {"length_multiple": 1}):  # by default, where no shapes are recorded
        return Here(settings, {}, "")
    where = f"{gpu.name}, {gpu.bytes / 2**30:.0f} GiB" if gpu else "no GPU"
    named = ", ".join(f"{name} {str(value).lower()}" for name, value in chosen.items())
    shared = SHARED if gpu and "max_tokens" in chosen else ""
    return Here(settings, chosen, f"{where}: `auto` is {named} here; a value in params.yaml wins over it{shared}")


def choice(keys: Mapping[str, Any], gpu: Gpu | None) -> dict[str, Any]:
    """Of each of these settings of a training that is `auto`, what it is; on a CPU what it is by default."""
    found = WITHOUT_GPU
    if gpu is not None:
        graphs = keys.get("gpus") == 1 if keys.get("cuda_graphs") == AUTO else keys.get("cuda_graphs")
        room = next(tokens for below, tokens in ROOM if gpu.bytes < below * 2**30)
        found = {
            "precision": "tf32" if gpu.capability >= (8, 0) else "fp32",
            "max_tokens": max(room, (keys.get("max_length") or 0) + 1),
            "length_multiple": MULTIPLE if graphs else 1,
            "cuda_graphs": graphs,
        }
    return {name: value for name, value in found.items() if keys.get(name) == AUTO}
