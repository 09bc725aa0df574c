"""Trees of numbers: the measures of a run or of a system, and metrics.json, which holds those of all systems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

Document = Mapping[str, Any]
"""What a metrics.json says, see `metrics_document`."""
Combine = Callable[[Sequence[float | None]], float | None]
"""Of the values of all seeds."""


def leaves(metrics: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every number with the dotted path to it, such as `tests.average.bleu`."""
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def average(tests: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """The papers' average: the mean over the test sets of every measure that is one number; None if one has none."""
    single = [key for key, value in tests[0].items() if not isinstance(value, dict)]
    return {key: mean([metrics[key] for metrics in tests]) for key in single}


def mean(values: Sequence[float | None]) -> float | None:
    """None where any value is missing."""
    there = [value for value in values if value is not None]
    return fmean(there) if len(there) == len(values) else None


def deviation(values: Sequence[float | None]) -> float | None:
    """With n - 1 in the denominator; None where any value is missing, or there is one."""
    there = [value for value in values if value is not None]
    return stdev(there) if len(there) == len(values) > 1 else None


def over_seeds(runs: Sequence[Mapping[str, Any]], combine: Combine) -> dict[str, Any]:
    """The shape of the runs, with one number in the place of theirs."""
    return {
        key: over_seeds([run[key] for run in runs], combine)
        if isinstance(value, dict)
        else combine([run[key] for run in runs])
        for key, value in runs[0].items()
    }
