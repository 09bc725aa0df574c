"""From runs to systems: mean and standard deviation over the seeds, as `metrics.json` and as a data frame."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

import pandas as pd

from stages.errors import InputError
from stages.reporting.results import System


def metrics_document(
    systems: Sequence[System], aligners: dict[str, dict[str, float | None]], recipe: dict[str, Any]
) -> dict[str, Any]:
    """`metrics.json`: {"systems": {variant: {"title", "seeds": {seed: {…}}, "mean": {…}, "sd": {…}}}, "aligners":
    {method: {…}}, "recipe"}.

    Every run must carry the same measures (InputError). `mean` is None where any seed has no value, `sd` (n - 1 in the
    denominator) also when there is one seed.
    """
    measures = list(systems[0].runs[0].metrics)
    document = {}
    for system in systems:
        for run in system.runs:
            if set(run.metrics) != set(measures):
                odd = ", ".join(sorted(set(run.metrics) ^ set(measures)))
                raise InputError(
                    f"the scores of {system.variant}-{run.seed} and of {systems[0].variant}-{systems[0].runs[0].seed} "
                    f"do not hold the same measures ({odd}); run the score stage again"
                )
        values = {measure: [run.metrics[measure] for run in system.runs] for measure in measures}
        document[system.variant] = {
            "title": system.title,
            "seeds": {str(run.seed): {measure: run.metrics[measure] for measure in measures} for run in system.runs},
            "mean": {measure: _mean(values[measure]) for measure in measures},
            "sd": {measure: _deviation(values[measure]) for measure in measures},
        }
    return {"systems": document, "aligners": aligners, "recipe": recipe}


def frame(document: dict[str, Any]) -> pd.DataFrame:
    """One row a system (index: variant) with `title`, `seeds` (their number) and per measure `<measure>` (the mean) and
    `<measure>_sd`; NaN where there is no value."""
    rows = {}
    for variant, system in document["systems"].items():
        rows[variant] = {"title": system["title"], "seeds": len(system["seeds"])}
        for measure, mean in system["mean"].items():
            rows[variant] |= {measure: mean, f"{measure}_sd": system["sd"][measure]}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant")
    numbers = [column for column in table if column not in ("title", "seeds")]
    return table.astype({column: float for column in numbers})


def _mean(values: Sequence[float | None]) -> float | None:
    return None if None in values else fmean(values)


def _deviation(values: Sequence[float | None]) -> float | None:
    return None if None in values or len(values) < 2 else stdev(values)
