"""What the counts of a set add up to: the values of metrics.json."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stages.measures import aer, aer_floor, confusion, coverage, length_buckets
from stages.measures.gold_links import Gold
from stages.scoring.catalogue import MEASURES, Rows, Sets

Metrics = dict[str, Any]
"""Measure -> number, None where it does not apply; a measure of many numbers holds a mapping like this one."""


def values(rows: Rows, sets: Sets) -> Metrics:
    """All measures of such sets, percent unless their module says otherwise; None where `rows` lack the counts."""
    metrics = {name: _value(rows, name) for name, measure in MEASURES.items() if measure.sets == sets}
    return metrics | (_tables(rows) if sets == "tests" else {})


def _value(rows: Rows, name: str) -> float | None:
    measure = MEASURES[name]
    if not set(measure.groups) <= set(rows):
        return None
    return number(measure.value(*(rows[group].sum(axis=0) for group in measure.groups)))


def _tables(rows: Rows) -> Metrics:
    """The measures of many numbers; in the same shape for every system."""
    histogram, matrix = (
        module.of_totals(rows[group].sum(axis=0) if group in rows else np.zeros(len(module.Counts._fields)))
        for group, module in {"coverage": coverage, "confusion": confusion}.items()
    )
    return {
        "bleu_by_length": length_buckets.aggregate(rows["bleu_unk_kept"], rows["source"][:, 0].tolist()),
        "coverage_histogram": _numbers(histogram),
        "pos_confusion": _numbers(matrix),
    }


def lowest_aer(golds: Sequence[Gold]) -> float | None:
    """Percent: the best AER that one link per target word, or none, can reach; None without gold set."""
    if not golds:
        return None
    return number(aer.of_totals(np.sum([aer_floor.statistics(gold) for gold in golds], axis=0)).aer)


def _numbers(table: Mapping[str, Any]) -> Metrics:
    return {key: _numbers(value) if isinstance(value, Mapping) else number(value) for key, value in table.items()}


def number(value: np.ndarray | float) -> float | None:
    """An undefined value (0/0) is null in the scores."""
    return None if math.isnan(value) else float(value)
