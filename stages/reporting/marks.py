"""Marks of significance: what metrics.json keeps of them, and the number that each stands behind."""

from collections.abc import Mapping, Sequence
from typing import Any

GOLD_SET = "gold"

Marks = Mapping[tuple[str, str], str]
"""(variant, path of a measure in metrics.json) -> marks; a pair without any may be missing."""


def marks_record(compared: Mapping[str, Any]) -> dict[str, Any]:
    """`marks` of metrics.json: {"baseline", "sets": {set: {measure: {variant: marks}}}}, variants without any left out.

    compared: what comparisons.json says.
    """
    return {
        "baseline": compared["settings"]["baseline"],
        "sets": {
            name: {
                measure: {variant: entry["marks"] for variant, entry in entries.items() if entry and entry["marks"]}
                for measure, entries in measures.items()
            }
            for name, measures in compared["sets"].items()
        },
    }


def marks_of(record: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """By variant and path, from `marks` of a metrics.json.

    Each test set is tested by itself, so an average gets the marks that every test set has (a choice of ours, on the
    careful side). Measures of alignment get those of the gold set.
    """
    tests = {name: measures for name, measures in record["sets"].items() if name != GOLD_SET}
    above = {name: f"tests.{name}." for name in tests} | {GOLD_SET: ""}
    found = {
        (variant, above[name] + measure): marks
        for name, measures in record["sets"].items()
        for measure, of in measures.items()
        for variant, marks in of.items()
    }
    return found | _common(list(tests.values()))


def _common(tests: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Of the averages."""
    found = {}
    for measure, of in tests[0].items():
        for variant, marks in of.items():
            everywhere = [mark for mark in marks if all(mark in other[measure].get(variant, "") for other in tests)]
            found[variant, f"tests.average.{measure}"] = "".join(everywhere)
    return found
