"""Repeated measurements and what is reported of them."""

import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from benchmarks.device import now


class Spread(NamedTuple):
    """Of repeated measurements."""

    median: float
    min: float
    max: float


def spread(samples: Sequence[float]) -> Spread:
    return Spread(statistics.median(samples), min(samples), max(samples))


def repeated(work: Callable[[], object], device: torch.device, seconds: float, least: int) -> float:
    """The median time of ``work``, warm, measured for ``seconds`` and at least ``least`` times."""
    work()
    samples: list[float] = []
    while len(samples) < least or sum(samples) < seconds:
        start = now(device)
        work()
        samples.append(now(device) - start)
    return statistics.median(samples)
