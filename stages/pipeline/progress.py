"""What a run prints: a line at each event, a bar below them on a terminal, and whole lines of what jobs print."""

import sys
import time
from collections.abc import Collection, Iterable
from typing import TextIO

from tqdm import tqdm

from stages.pipeline.durations import in_words
from stages.pipeline.jobs import Job
from stages.pipeline.order import Schedule

NAMED = 3
"""Jobs that a bar names at most."""

QUIET = 14.0
"""Seconds without a line, where there is no bar, after which one says what runs."""


class Progress:
    """systems: the names of all, for the count. stream: where to print; a bar is drawn if that is a terminal."""

    def __init__(self, systems: Collection[str], stream: TextIO | None = None) -> None:
        self._systems, self._stream = frozenset(systems), stream or sys.stdout
        self._bar: tqdm | None = None
        self._said = time.monotonic()

    def say(self, text: str) -> None:
        """A line of its own, whatever the bar does."""
        self._said = time.monotonic()
        if self._bar is not None:
            with self._bar.external_write_mode(file=self._stream):
                print(text, file=self._stream, flush=True)
        else:
            print(text, file=self._stream, flush=True)

    def event(self, text: str, schedule: Schedule, seconds: float | None) -> None:
        """Something began or ended. seconds: how long the rest takes."""
        if self._stream.isatty():
            if text:
                self.say(text)
            self.draw(schedule, seconds)
        elif text:
            self.say(f"{text} ({state(schedule, self._systems)}; {time_left(seconds)})")

    def draw(self, schedule: Schedule, seconds: float | None) -> None:
        """Bring the bar up to date; without one, say a line if nothing else was said for long."""
        if not self._stream.isatty():
            if time.monotonic() - self._said > QUIET:
                names = ", ".join(job.name for job in schedule.running)
                self.say(f"at work: {names} ({state(schedule, self._systems)}; {time_left(seconds)})")
            return
        if self._bar is None:
            total = len(schedule.waits)
            form = "{bar:20} {desc} [{elapsed}]"
            self._bar = tqdm(total=total, file=self._stream, bar_format=form, leave=False, dynamic_ncols=True)
        self._bar.n = len(schedule.done) + len(schedule.failed)
        self._bar.desc = f"{state(schedule, self._systems)}; {time_left(seconds)}{_running(schedule)}"
        self._bar.refresh()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def state(schedule: Schedule, systems: Collection[str]) -> str:
    """How many systems are done, running and waiting: a system is done when all its jobs are; and how many jobs."""
    jobs = f"{len(schedule.done)} of {len(schedule.waits)} jobs done"
    due = _systems(schedule.waits, systems)
    if not due:
        return jobs
    lost = _systems([*schedule.failed, *schedule.stopped], systems)
    running = _systems(schedule.running, systems) - lost
    waiting = _systems(schedule.waiting, systems) - running - lost
    done = due - running - waiting - lost
    counts = f"{len(done)} of {len(due)} systems done, {len(running)} running, {len(waiting)} waiting"
    return f"{counts}{f', {len(lost)} failed' if lost else ''}; {jobs}"


def time_left(seconds: float | None) -> str:
    """For a reader; None: nobody knows."""
    return "time left unknown" if seconds is None else f"about {in_words(seconds)} left"


def _systems(jobs: Iterable[Job], systems: Collection[str]) -> set[str]:
    return {name for job in jobs for name in job.labels if name in systems}


def _running(schedule: Schedule) -> str:
    names = [job.name for job in schedule.running]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"; {', '.join(names[:NAMED])}{more}" if names else ""
