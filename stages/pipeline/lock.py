"""One run at a time in a checkout."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import psutil

from stages.files import locks
from stages.files.atomic import write_error
from stages.files.errors import InputError
from stages.pipeline.dvc_processes import TEMPORARY, Tell

RUNS = TEMPORARY / "repro.lock"
"""Held by whoever runs stages, or chooses what params.yaml and dvc.lock say."""

PATIENCE = 20.0
"""Seconds for the jobs of a run that was killed to stop by themselves, which takes them `stage_process.GRACE`."""

CLOCKS = 10.0
"""Seconds by which a clock may be set while a run is at work."""

HOST = os.uname().nodename


class Holder(NamedTuple):
    """Who runs, since when, in seconds since 1970, and on which machine: several may share the folder."""

    pid: int
    since: float
    host: str


class Busy(InputError):
    """A run is at work. who: it, for a reader."""

    def __init__(self, holder: Holder) -> None:
        elsewhere = holder.host != HOST
        self.who = f"{f'on {holder.host}, ' if elsewhere else ''}pid {holder.pid}, "
        self.who += f"since {datetime.fromtimestamp(holder.since):%Y-%m-%d %H:%M:%S}"
        super().__init__(
            f"another run is at work in this folder: {self.who}; wait until it has ended, or stop it "
            f"{'there ' if elsewhere else ''}with `kill {holder.pid}`"
        )


@contextmanager
def only_run(path: Path, say: Tell) -> Iterator[int]:
    """Hold the lock of all runs; yields its descriptor, for jobs to keep it open: the lock lasts as long as any does.

    Raises:
        Busy: a run is at work.
        InputError: there is no DVC repository here; the file system has no locks; or a run that was killed
            leaves jobs that do not stop.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError:
        raise InputError("there is no DVC repository here; run from the folder that holds dvc.yaml") from None
    except OSError as error:
        raise write_error(path, error) from error
    try:
        _acquire(lock, path, say)
        try:
            _write(lock, Holder(os.getpid(), time.time(), HOST))
        except OSError as error:
            raise write_error(path, error) from error
        yield lock
        os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def _acquire(lock: int, path: Path, say: Tell) -> None:
    deadline, said = time.monotonic() + PATIENCE, False
    while True:
        try:
            return locks.take(lock, path)
        except BlockingIOError:
            holder = _holder(lock)
        if holder is not None and _lives(holder):
            raise Busy(holder)
        if time.monotonic() > deadline:
            raise InputError(f"jobs of a run that was killed do not stop; end them (`fuser {path}` lists them)")
        if not said:
            say("waiting for the jobs of a run that was killed to stop")
        said = True
        time.sleep(0.1)


def _write(lock: int, holder: Holder) -> None:
    os.ftruncate(lock, 0)
    os.pwrite(lock, json.dumps(holder._asdict()).encode(), 0)


def _holder(lock: int) -> Holder | None:
    """None if it has just begun, and has not said who it is yet."""
    try:
        return Holder(**json.loads(os.pread(lock, 1000, 0)))
    except (ValueError, TypeError):
        return None


def _lives(holder: Holder) -> bool:
    """Whether it is at work still: the next owner of its pid began after it took the lock. Of another machine nobody
    can say more than that it holds the lock."""
    if holder.host != HOST:
        return True
    try:
        return psutil.Process(holder.pid).create_time() < holder.since + CLOCKS
    except psutil.Error:
        return False
