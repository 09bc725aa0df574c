"""From runs to systems: mean and standard deviation over the seeds, as `metrics.json` and as a data frame."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from stages.files.errors import InputError
from stages.reporting.metrics import Document, deviation, leaves, mean, over_seeds
from stages.reporting.ranking import apart
from stages.reporting.results import SystemResults
from stages.scoring.values import Metrics


def metrics_document(
    systems: Sequence[SystemResults], aligners: dict[str, dict[str, float | None]], recipe: dict[str, Any]
) -> dict[str, Any]:
    """`metrics.json`: {"systems": {variant: {"title", "seeds": {seed: {…}}, "mean": {…}, "sd": {…}}}, "aligners":
    {method: {…}}, "recipe"}; each {…} of a system has the shape of `SeedResults.metrics`.

    Every run must carry the same measures (InputError). `mean` is None where any seed has no value, `sd` (n - 1 in the
    denominator) also when there is one seed.
    """
    first = systems[0].runs[0]
    measures = {path for path, _ in leaves(first.metrics)}
    document = {}
    for system in systems:
        for run in system.runs:
            if odd := sorted({path for path, _ in leaves(run.metrics)} ^ measures):
                raise InputError(
                    f"the scores of {system.variant}-{run.seed} and of {systems[0].variant}-{first.seed} "
                    f"do not hold the same measures ({', '.join(odd)}); run the score stage again"
                )
        each = [run.metrics for run in system.runs]
        document[system.variant] = {
            "title": system.title,
            "seeds": {str(run.seed): run.metrics for run in system.runs},
            "mean": over_seeds(each, mean),
            "sd": over_seeds(each, deviation),
        }
    return {"systems": document, "aligners": aligners, "recipe": recipe}


OF_A_SYSTEM = ("title", "seeds", "apart")
"""Columns of `results_frame` that are no measures."""


def columns_of(metrics: Metrics) -> set[str]:
    """The columns that `results_frame` has of such metrics, and its own."""
    return {*metrics, *_columns(metrics), *OF_A_SYSTEM}


def results_frame(document: Document) -> pd.DataFrame:
    """One row a system (index: variant) with `title`, `seeds` (their number), `apart` (see `StudySpec`) and per measure
    `<measure>` (the mean) and `<measure>_sd`; NaN where there is no value. A measure of several test sets also has
    `<measure>.<set>` for those after the first, and `<measure>.average`."""
    rows = {}
    for variant, system in document["systems"].items():
        why = document.get("apart", {}).get(variant, "")
        rows[variant] = {"title": system["title"], "seeds": len(system["seeds"]), "apart": why}
        deviations = _columns(system["sd"])
        for measure, value in _columns(system["mean"]).items():
            rows[variant] |= {measure: value, f"{measure}_sd": deviations[measure]}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant")
    numbers = [column for column in table if column not in OF_A_SYSTEM]
    return table.astype({column: float for column in numbers})


def _columns(metrics: Metrics) -> dict[str, float | None]:
    single = {measure: value for measure, value in metrics.items() if not isinstance(value, dict)}
    _, *others, last = metrics["tests"]
    further = [*others, last] if others else []
    return single | {
        f"{measure}.{name}": value
        for name in further
        for measure, value in metrics["tests"][name].items()
        if not isinstance(value, dict)
    }


HEADLINES = {"bleu": "high", "aer": "low"}
"""Measure -> which way is better."""


def summary(document: Document) -> dict[str, Any]:
    """{"baseline": {measure: value}, "best": {measure: value}}, rounded: four columns, which fit a terminal. BLEU is
    the average of the test sets, as in the report's own tables. None where no system has the measure.

    `dvc metrics diff --targets` of metrics.json says what moved in which system.
    """
    means = {
        variant: {"bleu": system["mean"]["tests"]["average"]["bleu"], "aer": system["mean"]["aer"]}
        for variant, system in document["systems"].items()
    }
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


SHALLOW = 2
"""Levels of a group that stands in one line: a measure by length of the source, say."""


def write_metrics(document: Document, path: Path) -> None:
    """The numbers of a group stand in one line, such as those of a test set in a run; a deep group in it has its own
    lines, a shallow one a line."""
    path.write_text(_json_lines(document, "") + "\n", encoding="utf-8")


def _json_lines(group: Mapping[str, Any], margin: str) -> str:
    """`group` as JSON, its lines after the first behind `margin` and a blank."""
    if _levels(group) <= SHALLOW:
        return _json(group)
    lines: list[str] = []
    open_line = False
    for key, value in group.items():
        grouped = isinstance(value, Mapping)
        entry = f"{_json(key)}:{_json_lines(value, f'{margin} ') if grouped else _json(value)}"
        if open_line and not grouped:
            lines[-1] += f",{entry}"
        else:
            lines.append(entry)
        open_line = not grouped
    separator = f",\n{margin} "
    return "{\n" + f"{margin} {separator.join(lines)}\n{margin}" + "}"


def _levels(value: Any) -> int:
    """Of mappings in mappings: 0 for a number."""
    return 1 + max(map(_levels, value.values()), default=0) if isinstance(value, Mapping) else 0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
