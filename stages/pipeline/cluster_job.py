"""A job on a node of a cluster: its stages one after the other, put away and queued again when its time is up."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

from submitit.core.utils import DelayedSubmission

from stages.pipeline.execute import environment
from stages.pipeline.group import members
from stages.pipeline.steps import Step, complaint, run_step

DONE = "done"
"""Names the stages of a job that have ended well, a line each; it outlives requeues and failures of nodes."""


class ClusterJob:
    """What Slurm starts. submitit calls `checkpoint` on the warning signal, queues the job again and starts it anew.

    root: of the checkout; folder: of this submission, on a file system that all nodes share; grace: seconds that a
    stage has to put its work away.
    """

    def __init__(self, root: Path, folder: Path, steps: Sequence[Step], grace: float) -> None:
        self.root, self.folder, self.steps, self.grace = root, folder, steps, grace
        self._group: int | None = None

    def __call__(self) -> str:
        """Why it failed, else empty."""
        os.chdir(self.root)
        signal.signal(signal.SIGTERM, self._terminated)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1, signal.SIGUSR2])  # submitit listens now
        before = done(self.folder)
        for step in self.steps:
            if step.stage in before:
                continue
            if why := run_step(Step(*step), self._run):
                print(complaint(step.stage, why), end="", flush=True)
                return why
            with open(self.folder / DONE, "a", encoding="utf-8") as handle:
                handle.write(f"{step.stage}\n")
        return ""

    def checkpoint(self) -> DelayedSubmission:
        """What to run when the job is started again; the stage under way has been told to stop, and has."""
        self._stop()
        return DelayedSubmission(ClusterJob(self.root, self.folder, self.steps, self.grace))

    def _run(self, command: Sequence[str], variables: Mapping[str, str]) -> int:
        """The warning signal goes to all processes of a job, and would end a stage at once: it does not hear it."""
        process = subprocess.Popen(
            command, env={**os.environ, **environment(), **variables}, stdin=subprocess.DEVNULL, process_group=0,
            preexec_fn=_deaf,
        )  # fmt: skip
        self._group = process.pid
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # a handler may look at it meanwhile
        self._group = None
        return process.wait()

    def _terminated(self, number: int, frame: FrameType | None) -> None:
        """SIGTERM: Slurm takes the node away, or a user cancels. Which of both, and what follows, is Slurm's: it ends
        this process soon. A result now would say that the job has failed."""
        self._stop()
        while True:
            time.sleep(1)

    def _stop(self) -> None:
        if self._group is None:
            return
        deadline = time.monotonic() + self.grace
        _kill(self._group, signal.SIGTERM)
        while any(members(self._group)) and time.monotonic() < deadline:
            time.sleep(0.1)
        _kill(self._group, signal.SIGKILL)


def done(folder: Path) -> list[str]:
    """The stages of a submission that have ended well."""
    try:
        return (folder / DONE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []


def _deaf() -> None:
    for number in (signal.SIGUSR1, signal.SIGUSR2):  # the second unless SUBMITIT_PREEMPT_SIGNAL says otherwise
        signal.signal(number, signal.SIG_IGN)


def _kill(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)
