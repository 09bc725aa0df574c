"""`summary.json`: the few numbers of a study that `dvc metrics show` prints in one line."""

from collections.abc import Mapping
from typing import Any

from stages.reporting.metrics import Document
from stages.reporting.ranking import apart
from stages.scoring.values import Metrics

HEADLINES = {"bleu": "high", "aer": "low"}
"""Measure -> which way is better."""


def summary(document: Document) -> dict[str, Any]:
    """{"baseline": {measure: value}, "best": {measure: value}}, rounded: four columns, which fit a terminal. None where
    no system has the measure.

    `dvc metrics diff --targets` of metrics.json says what moved in which system.
    """
    means = {variant: system["mean"] for variant, system in document["systems"].items()}
    why = document.get("apart", {})
    best = {measure: _best(means, measure, better, why) for measure, better in HEADLINES.items()}
    baseline = means[document["marks"]["baseline"]]
    return {
        "baseline": {measure: _rounded(baseline[measure]) for measure in HEADLINES},
        "best": {measure: _rounded(means[name][measure] if name else None) for measure, name in best.items()},
    }


def _best(means: Mapping[str, Metrics], measure: str, better: str, why: Mapping[str, str]) -> str | None:
    """The first of equals. why: as in `StudySpec.apart`."""
    there = {
        variant: metrics[measure]
        for variant, metrics in means.items()
        if not apart(variant, measure, why.get(variant, ""))
    }
    values = {variant: value for variant, value in there.items() if value is not None}
    choose = max if better == "high" else min
    return choose(values, key=values.__getitem__) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
