"""What is reported of repeated measurements."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple

NONE = "–"


class Spread(NamedTuple):
    """Of repeated measurements."""

    median: float
    min: float
    max: float


def spread(samples: Sequence[float]) -> Spread:
    return Spread(statistics.median(samples), min(samples), max(samples))


def shown(found: dict[str, float] | None) -> str:
    """A spread, as a dictionary, in a table."""
    if found is None:
        return NONE
    digits = 0 if found["median"] >= 100 else 1
    return f"{found['median']:,.{digits}f} ({found['min']:,.{digits}f}–{found['max']:,.{digits}f})"
