"""A stage's commands in a process of their own.

    python -m stages.pipeline.stage_process PARENT STEP NAME  # a step as JSON; the name is for lists

Nothing that it starts outlives it, and it does not outlive its parent. On SIGTERM, or when the parent (a pid) is gone,
the stage under way gets SIGTERM, and all that is left is killed `GRACE` seconds later; where this process itself is
killed, at once. Must be the leader of its process group.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from stages.files.lifetime import end_with
from stages.pipeline.group import members
from stages.pipeline.steps import Step, complaint, run_step

GRACE = 5
"""Seconds between SIGTERM and SIGKILL."""


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
    parent, step, _ = arguments
    stop = Stop()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(0, signal.SIGKILL))
    end_with(int(parent), signal.SIGTERM)
    _have_the_group_killed_after_me()
    one = Step(*json.loads(step))

    def run(command: Sequence[str], variables: Mapping[str, str]) -> int:
        with stop.stage():
            return subprocess.run(command, env=os.environ | variables, stdin=subprocess.DEVNULL).returncode

    try:
        why = run_step(one, run)
    except OSError as error:
        why = str(error)
    if why:
        print(complaint(one.stage, why), end="", flush=True)
    return 1 if why else 0


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
    return any(pid != os.getpid() for pid in members(os.getpgrp()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
