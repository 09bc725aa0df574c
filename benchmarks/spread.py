"""What is reported of repeated measurements."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """Of repeated measurements."""

    median: float
    min: float
    max: float


def spread(samples: Sequence[float]) -> Spread:
    return Spread(statistics.median(samples), min(samples), max(samples))
