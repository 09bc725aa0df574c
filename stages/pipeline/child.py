"""A job in a process of its own: its stages one after the other, as `dvc repro -s` runs them.

    python -m stages.pipeline.child PARENT STAGE…

Nothing that it starts outlives it, and it does not outlive its parent. On SIGTERM, or when the parent (a pid) is gone,
the stage under way gets SIGTERM, and all that is left is killed `GRACE` seconds later; where this process itself is
killed, at once. What DVC says is printed with `MARK` before each line. Must be the leader of its process group.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import psutil

from stages.files.lifetime import end_with

GRACE = 5
"""Seconds between SIGTERM and SIGKILL."""

MARK = "dvc: "


class Stop:
    """What SIGTERM does. A stage that runs hears of it before this process ends, so that it can put its work away."""

    def __init__(self) -> None:
        self.asked = self.busy = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            return
        self.asked = True
        if not self.busy:
            sys.exit(128 + signal.SIGTERM)
        os.killpg(0, signal.SIGTERM)
        signal.alarm(GRACE)

    @contextmanager
    def stage(self) -> Iterator[None]:
        """While a stage's command runs."""
        self.busy = True
        try:
            yield
        finally:
            self.busy = False
            if self.asked:
                while _others():  # a shell ends at once, what it started may not; the alarm ends both
                    time.sleep(0.05)
                sys.exit(128 + signal.SIGTERM)


def main(arguments: list[str]) -> int:
    parent, *stages = arguments
    stop = Stop()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(0, signal.SIGKILL))
    end_with(int(parent), signal.SIGTERM)
    _have_the_group_killed_after_me()
    from stages.pipeline.dvc import patch

    patch()
    return _reproduce(stages, stop)


def _reproduce(stages: list[str], stop: Stop) -> int:
    """Whether DVC ran or restored them, as an exit status; errors are printed in DVC's own words."""
    from dvc.repo import Repo

    _mark()
    _write_whole()
    _announce(stop)
    try:
        with Repo(_wait_for_lock=True) as repo:
            repo.reproduce(stages, single_item=True)
    except Exception:  # a full disk, a damaged database or an unreadable file come as many kinds
        logging.getLogger("dvc").exception("")
        return 1
    return 0


def _have_the_group_killed_after_me() -> None:
    """Start a process that kills what is left of this group when this process is gone, however it went.

    The kernel tells only children that their parent died, and a shell between a job and its stage's script is no
    parent of what runs below it.
    """
    end, _kept_open = os.pipe()  # the kernel closes it, when this process has left altogether
    script = f"read -r _; kill -s KILL -- -{os.getpgrp()} 2>/dev/null"
    subprocess.Popen(["/bin/sh", "-c", script], stdin=end, process_group=0)
    os.close(end)


def _others() -> bool:
    """Whether another process of this group is left."""
    return any(pid != os.getpid() and _is_of_group(pid) for pid in psutil.pids())


def _is_of_group(pid: int) -> bool:
    try:
        return os.getpgid(pid) == os.getpgrp() and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):  # it has just ended
        return False


def _mark() -> None:
    """Tell DVC's lines from those of stages."""
    for handler in {handler for name in ("dvc", "dvc_objects", "dvc_data") for handler in _handlers(name)}:
        handler.setFormatter(_Marked(handler.formatter))


def _handlers(name: str) -> list[logging.Handler]:
    return logging.getLogger(name).handlers


class _Marked(logging.Formatter):
    def __init__(self, formatter: logging.Formatter | None) -> None:
        super().__init__()
        self.formatter = formatter or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(f"{MARK}{line}" for line in self.formatter.format(record).splitlines() if line) or MARK


def _announce(stop: Stop) -> None:
    """Have DVC say when a stage's command runs."""
    from dvc.stage import run

    start = run._run

    def start_announced(*arguments: Any, **options: Any) -> None:
        with stop.stage():
            start(*arguments, **options)

    run._run = start_announced


def _write_whole() -> None:
    """Have DVC write dvc.lock and its file of who reads and writes what beside themselves, and rename them: it writes
    in place, and a kill in between would leave half a file."""
    from dvc import rwlock
    from dvc.utils.serialize import _common

    from stages.files.atomic import new_file

    edit = rwlock._edit_rwlock

    class Whole:
        def __init__(self, files: Any) -> None:
            self.join, self.read = files.join, files.open

        def open(self, path: str, mode: str = "r", encoding: str = "utf-8") -> Any:
            return new_file(Path(path)) if mode == "w" else self.read(path, mode, encoding=encoding)

    def dump(path: str, data: Any, dumper: Any, fs: Any = None, **options: Any) -> None:
        with new_file(Path(path)) as handle:
            dumper(data, handle, **options)

    rwlock._edit_rwlock = lambda folder, files, hardlink: edit(folder, Whole(files), hardlink)
    _common._dump_data = dump


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
