"""How long jobs take: from the last report at first, then from those that have ended."""

from collections.abc import Collection, Iterable, Mapping
from math import inf
from pathlib import Path
from statistics import mean

from pydantic import BaseModel

from stages.files.errors import InputError
from stages.files.records import read_json
from stages.pipeline.jobs import Job
from stages.releasing.results_file import RECORD
from stages.settings.params import validate

TRAINING = "training.json"


class _Seconds(BaseModel):
    wall_seconds: float | None


class _System(BaseModel):
    mean: _Seconds


class _Report(BaseModel):
    """The part of a metrics.json that is read here."""

    systems: dict[str, _System]


def last_seconds(metrics: Path) -> dict[str, float]:
    """System -> seconds that its training took in the report of this metrics.json; those without a figure are missing.

    Empty without a report that can be read: it is about to be made anew, and only the order is lost.
    """
    try:
        report = validate(read_json(metrics), _Report, "metrics", metrics)
    except InputError:
        return {}
    means = {name: system.mean.wall_seconds for name, system in report.systems.items()}
    return {name: seconds for name, seconds in means.items() if seconds is not None}


def trained_seconds(folders: Iterable[Path]) -> float:
    """What the trainings in these folders took by their records, with what earlier, killed runs did of them; released
    ones were another machine's."""
    here = [folder for folder in folders if not (folder / RECORD).exists()]
    return sum(_recorded(path) for folder in here if (path := folder / TRAINING).is_file())


def _recorded(path: Path) -> float:
    try:
        return validate(read_json(path), _Seconds, "training", path).wall_seconds or 0.0
    except InputError:
        return 0.0


UNPACKED = 2.0
"""Seconds that released results take."""


class Durations:
    """systems: the names of all; seconds: system -> how long its training took last time; released: those of whom there
    are results, which are not trained."""

    def __init__(self, systems: Collection[str], seconds: Mapping[str, float], released: Collection[str] = ()) -> None:
        self._systems, self._seconds, self._released = frozenset(systems), seconds, frozenset(released)
        self._measured: dict[Job, float] = {}

    def of(self, job: Job) -> float:
        """For the order: a system of which nobody knows counts as endless; other jobs as nothing."""
        names = job.labels & self._systems
        return max((self._seconds.get(name, inf) for name in names), default=0.0)

    def measure(self, job: Job, seconds: float) -> None:
        """`job` takes that long from its beginning, whatever part of it was done before."""
        self._measured[job] = seconds

    def all(self, jobs: Iterable[Job]) -> dict[Job, float] | None:
        """For the time that is left: last time's figures, in the proportion of this time's to them; a system without
        one counts as the mean of the others. None if no system has a figure of either kind."""
        known = {job: self.of(job) for job in self._measured if 0 < self.of(job) < inf}
        factor = sum(self._measured[job] for job in known) / sum(known.values()) if known else 1.0
        guesses = {job: UNPACKED if self._unpacks(job) else self.of(job) * factor for job in jobs}
        own = [seconds for job, seconds in self._measured.items() if self.of(job) and not self._unpacks(job)]
        others = own or [s for job, s in guesses.items() if 0 < s < inf and not self._unpacks(job)]
        if not others and inf in guesses.values():
            return None
        return {job: mean(others) if seconds == inf else seconds for job, seconds in guesses.items()}

    def _unpacks(self, job: Job) -> bool:
        return not job.labels.isdisjoint(self._released) and not any("_reverse@" in stage for stage in job.stages)


def in_words(seconds: float) -> str:
    """For a reader."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.{0 if seconds >= 10 * 3600 else 1}f} h"
