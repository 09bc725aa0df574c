"""Marks of significance for differences of ours, from comparisons.json."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.reporting.papers.beside import Marks

GOLD = "gold"


def marks_of(comparisons: Mapping[str, Any]) -> Marks:
    """From the content of comparisons.json, for differences to its baseline.

    Each test set is tested by itself, so an average gets the marks that every test set has (a choice of ours, on the
    careful side). Alignment measures get those of the gold set.
    """
    baseline, sets = comparisons["settings"]["baseline"], comparisons["sets"]
    tests = [measures for name, measures in sets.items() if name != GOLD]
    marks = _common(tests, baseline, "tests.average.")
    return marks | _common([sets[GOLD]], baseline, "") if GOLD in sets else marks


def _common(sets: Sequence[Mapping[str, Any]], baseline: str, above: str) -> dict[tuple[str, str, str], str]:
    return {
        (variant, baseline, above + measure): "".join(
            mark for mark in entry["marks"] if all(mark in other[measure][variant]["marks"] for other in sets)
        )
        for measure, entries in sets[0].items()
        for variant, entry in entries.items()
        if entry is not None
    }
