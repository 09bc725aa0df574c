"""How a job is run: what an engine does, and the one for this machine, a process a stage that prints to a file."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from stages.files.atomic import write_error
from stages.files.errors import InputError
from stages.pipeline.jobs import Job
from stages.pipeline.stage_process import GRACE
from stages.pipeline.steps import MARK, Step
from stages.pipeline.stopping import held

LAST_LINES = 15
"""Of a log, when a job has failed."""

SIGNAL = re.compile(r"exited with -(\d+)$")
"""How DVC says that a stage was killed."""


class Ended(NamedTuple):
    """done: the stages whose commands ended well; why: how a job ended that did not end well, else empty."""

    job: Job
    done: Sequence[str]
    why: str


class Executor(Protocol):
    """What runs jobs, here or elsewhere.

    slots: how many at a time. together: whether a job runs all its stages without asking in between.
    """

    slots: int
    together: bool

    def adopt(self, job: Job, due: Sequence[str], inputs: Mapping[str, str]) -> bool:
        """Whether it runs a job already, which an earlier run began with what is due, and with these inputs: stage -> a
        sum, of all its stages where they run together, else of what is due."""
        return False

    def drop(self, job: Job) -> None:
        """Nothing is to be done for it: what an earlier run began of it ends."""
        return

    def start(self, job: Job, steps: Sequence[Step], inputs: Mapping[str, str]) -> None: ...

    def wait(self, seconds: float) -> None:
        """Until a job may have ended, but no longer than that."""
        ...

    def ended(self) -> list[Ended]:
        """The jobs that have ended since it was asked last."""
        ...

    def printed(self) -> Iterator[tuple[Job, str]]:
        """The whole lines that stages printed since it was asked last, without those of DVC's and of failed jobs."""
        ...

    def log(self, job: Job) -> Path: ...

    def complain(self, job: Job, lines: str) -> None:
        """Write to its log of this run, which may have none yet."""
        ...

    def forget(self, job: Job) -> None:
        """It has ended, and what it made is recorded."""
        return

    def stop(self) -> None:
        """This process ends: on this machine all that runs does too, before this returns."""
        ...


class Lines:
    """The part of a log that has been read."""

    def __init__(self, log: Path, position: int) -> None:
        self._log, self._position, self._rest = log, position, b""

    def new(self) -> list[str]:
        """The whole lines since the last call, as they stand on a terminal in the end."""
        with open(self._log, "rb") as handle:
            handle.seek(self._position)
            new = handle.read()
        self._position += len(new)
        *whole, self._rest = (self._rest + new).split(b"\n")
        lines = (line.decode(errors="replace").rstrip("\r") for line in whole)
        return [line.rpartition("\r")[2] for line in lines if not line.startswith(MARK)]


class _Process:
    """A stage's process and what it prints. known: readable when it has ended."""

    def __init__(self, process: subprocess.Popen, step: Step, lines: Lines) -> None:
        self.process, self.step, self.lines = process, step, lines
        self.known = os.pidfd_open(process.pid)

    def has_ended(self) -> bool:
        """Whether its first process has; it stays unreaped until `close`, so that its number remains its own."""
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self.process.pid, flags) is not None

    def close(self) -> int:
        """End whatever else it started; its exit status."""
        os.close(self.known)
        self.send(signal.SIGKILL)
        return self.process.wait()

    def send(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class Local(Executor):
    """Processes on this machine, each the leader of a group of its own, so that Ctrl-C reaches this process alone.

    logs: a folder, gets a file a job. lock: a descriptor that jobs keep open.
    """

    together = False

    def __init__(self, slots: int, logs: Path, lock: int) -> None:
        self.slots = slots
        self._logs, self._lock = logs, lock
        self._running: dict[Job, _Process] = {}
        self._lines: list[tuple[Job, str]] = []
        self._logged: set[Job] = set()

    def start(self, job: Job, steps: Sequence[Step], inputs: Mapping[str, str]) -> None:
        (step,), log = steps, self.log(job)
        module, parent = "stages.pipeline.stage_process", str(os.getpid())
        command = [sys.executable, "-m", module, parent, json.dumps(step), step.stage]
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with open(log, "ab" if job in self._logged else "wb") as handle, held():
                try:
                    process = subprocess.Popen(
                        command, stdin=subprocess.DEVNULL, stdout=handle, stderr=subprocess.STDOUT, env=environment(),
                        process_group=0, pass_fds=(self._lock,),
                    )  # fmt: skip
                    self._running[job] = _Process(process, step, Lines(log, handle.tell()))
                except OSError as error:
                    why = f"no process can be started ({error.strerror})"
                    raise InputError(f"{why}; end others, or raise the limits that `ulimit -a` shows") from error
        except OSError as error:
            raise write_error(log, error) from error
        self._logged.add(job)

    def wait(self, seconds: float) -> None:
        poll = select.poll()
        for one in self._running.values():
            poll.register(one.known, select.POLLIN)
        poll.poll(seconds * 1000)

    def ended(self) -> list[Ended]:
        found = []
        for job, one in list(self._running.items()):
            if one.has_ended():
                with held():  # a signal in between would leave a process that is no more
                    status = one.close()
                    del self._running[job]
                self._lines += [(job, line) for line in one.lines.new()]
                found.append(Ended(job, [] if status else [one.step.stage], _why(status)))
        return found

    def printed(self) -> Iterator[tuple[Job, str]]:
        for job, one in self._running.items():
            self._lines += [(job, line) for line in one.lines.new()]
        while self._lines:
            yield self._lines.pop(0)

    def log(self, job: Job) -> Path:
        return self._logs / f"{file_name(job)}.log"

    def complain(self, job: Job, lines: str) -> None:
        write_lines_to(self.log(job), lines, begun=job in self._logged)

    def stop(self) -> None:
        for one in self._running.values():
            one.process.terminate()  # the child tells its stage
        deadline = time.monotonic() + GRACE
        while time.monotonic() < deadline and not all(one.has_ended() for one in self._running.values()):
            time.sleep(0.02)
        for one in self._running.values():
            one.close()
        self._running.clear()


def write_lines_to(log: Path, lines: str, begun: bool) -> None:
    """begun: whether this run has written to it; what an earlier one wrote is overwritten."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "a" if begun else "w", encoding="utf-8") as handle:
        handle.write(lines)


def file_name(job: Job) -> str:
    return re.sub(r"[^a-zA-Z0-9_@.-]", "_", job.name)


def last_lines(log: Path) -> list[str]:
    """The end of what a job printed; with DVC's own words, without its mark."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [SIGNAL.sub(_named, line.removeprefix(MARK)) for line in lines if line.strip()][-LAST_LINES:]


def environment() -> Mapping[str, str]:
    """`python` in a stage's command is this one; what a stage prints comes line by line."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return os.environ | {"PATH": path, "PYTHONUNBUFFERED": "1"}


def _why(status: int) -> str:
    if status == 0:
        return ""
    if status > 0:
        return f"exit status {status}"
    return f"killed by {_signal(-status)}"


def _named(match: re.Match[str]) -> str:
    return f"{match[0]} ({_signal(int(match[1]))})"


def _signal(number: int) -> str:
    return signal.Signals(number).name + (", perhaps for want of memory" if number == signal.SIGKILL else "")
