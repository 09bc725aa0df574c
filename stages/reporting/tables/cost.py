"""What a system costs."""

from statistics import fmean, stdev

import pandas as pd

from stages.reporting.results import SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.main_table import COST
from stages.reporting.tables.measured import Measured, notes, shown
from stages.reporting.tables.number_formats import count
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Column

PARAMETERS, *SPEED = COST
COLUMNS = (
    PARAMETERS,
    Column("added", "more than the baseline", None, lambda value: f"{value / 1e6:+.2f} M", spread=False),
    *SPEED,
    Column("epochs", "epochs", None, count),
    Column("best_epoch", "best epoch", None, count),
)


def cost(study: StudyResults, measured: Measured) -> ReportTable | None:
    table = shown(measured._replace(frame=measured.frame.join(_of_runs(study))), COLUMNS)
    if table is None:
        return None
    below = (
        "wall time and epochs of a fine-tuned system are those of its own training, without its base's",
        "speed and wall time are those of a machine at its time, often with other trainings beside; between machines "
        "they do not compare",
    )
    return ReportTable(
        name="cost",
        title="Parameters and speed",
        about="Size, speed of training, and how long training took.",
        mirrors="Kuang et al. (2018), Section 3.2 (parameters)",
        parts={"": table},
        notes=(*notes(study.document, [table], ("model", "machine")), *below),
    )


def _of_runs(study: StudyResults) -> pd.DataFrame:
    """`added` parameters, and mean and deviation over the seeds of `epochs` and `best_epoch`."""
    systems = study.document["systems"]
    base = systems[study.spec.compare.baseline]["mean"]["parameters"]
    rows = {}
    for system in study.systems:
        size = systems[system.variant]["mean"]["parameters"]
        added = None if None in (size, base) or system.variant == study.spec.compare.baseline else size - base
        rows[system.variant] = {"added": added, "added_sd": None} | _epochs(system)
    return pd.DataFrame.from_dict(rows, orient="index", dtype=float)


def _epochs(system: SystemResults) -> dict[str, float | None]:
    if not system.trained:
        return {}
    of = {"epochs": [len(run.curve) for run in system.runs], "best_epoch": [run.best_epoch for run in system.runs]}
    several = len(system.runs) > 1
    means = {name: fmean(values) for name, values in of.items()}
    return means | {f"{name}_sd": stdev(values) if several else None for name, values in of.items()}
