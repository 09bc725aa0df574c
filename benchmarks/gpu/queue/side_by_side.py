"""Trainings of an item as processes side by side on one GPU, stopped in time to go on in the next command."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from benchmarks.gpu.part import say
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.queue.items import archive
from stages.releasing.training import Training
from stages.settings.systems import StudySystems, origin

GRACE = 25.0
"""Seconds that a training has to save itself after SIGTERM, which it answers after the update under way."""
LOGS = Path("logs")


def run(study: StudySystems, wanted: Iterable[Training], jobs: int, seconds: float) -> list[str]:
    """In the item's folder, which is the working directory. What failed, a sentence each."""
    until = time.monotonic() + seconds - GRACE
    waiting, failed = list(wanted), list[str]()
    running: dict[Training, subprocess.Popen] = {}
    LOGS.mkdir(exist_ok=True)
    try:
        while (waiting or running) and time.monotonic() < until:
            while waiting and len(running) < jobs and (training := _next(study, waiting, list(running))):
                waiting.remove(training)
                running[training] = _start(training)
            time.sleep(0.2)
            for training, process in list(running.items()):
                if (status := process.poll()) is not None:
                    del running[training]
                    failed += _outcome(study, training, status)
    finally:
        for process in running.values():
            process.terminate()
        end = time.monotonic() + GRACE - 5
        for training, process in running.items():
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            say(f"{name_of(training)}: stopped, goes on next time")
    return failed


def _next(study: StudySystems, waiting: list[Training], running: list[Training]) -> Training | None:
    """The first whose base nobody is making, and which makes none that another one makes: one process a seed then."""
    busy = {(_root(study, one), one.seed) for one in running}
    return next((one for one in waiting if (_root(study, one), one.seed) not in busy or not _chained(study, one)), None)


def _chained(study: StudySystems, training: Training) -> bool:
    return training.variant in study.fine_tuned or training.variant in study.fine_tuned.values()


def _root(study: StudySystems, training: Training) -> str:
    return origin(training.variant, study.fine_tuned)


def _start(training: Training) -> subprocess.Popen:
    """Its process, which ends with this one."""
    command = [sys.executable, "-m", "benchmarks.gpu.queue.training", training.variant, str(training.seed)]
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"}
    with (LOGS / f"{name_of(training)}.log").open("a", encoding="utf-8") as log:
        return subprocess.Popen(
            [*command, str(os.getpid()), str(int(signal.SIGTERM))], env=environment, stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip


def _outcome(study: StudySystems, training: Training, status: int) -> list[str]:
    if status == 0 and (path := archive(study, training)).exists():
        say(f"{name_of(training)}: {path}, {path.stat().st_size / 1024:,.0f} KB")
        return []
    lines = (LOGS / f"{name_of(training)}.log").read_text(encoding="utf-8", errors="replace").splitlines()
    failure = f"{name_of(training)}: status {status}: {lines[-1] if lines else 'it said nothing'}"
    say(failure)
    return [failure]


def name_of(training: Training) -> str:
    return f"{training.variant}-{training.seed}"
