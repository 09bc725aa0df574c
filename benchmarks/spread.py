"""What is reported of repeated measurements, and how tables write numbers."""

import statistics
from collections.abc import Sequence

NONE = "–"

Spread = dict[str, float]
"""median, min and max."""


def spread(samples: Sequence[float]) -> Spread | None:
    """None where nothing was measured."""
    return {"median": statistics.median(samples), "min": min(samples), "max": max(samples)} if samples else None


def shown(found: Spread | None) -> str:
    """In a table; without a bracket where all are the same, as one alone is."""
    if found is None:
        return NONE
    digits = 0 if found["median"] >= 100 else 1
    if found["min"] == found["max"]:
        return f"{found['median']:,.{digits}f}"
    return f"{found['median']:,.{digits}f} ({found['min']:,.{digits}f}–{found['max']:,.{digits}f})"


def number(value: float | None, form: str) -> str:
    """The same of one measurement."""
    return NONE if value is None else format(value, form)
