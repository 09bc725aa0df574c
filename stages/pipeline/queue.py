"""What Slurm's commands say: of the jobs in its queue, and of settings that it refuses."""

import getpass
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from stages.files.errors import InputError

GONE = frozenset(
    ("BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT")
)
"""States that a job does not leave by itself."""

COMMANDS = ("sbatch", "squeue", "scancel", "scontrol", "srun")


class State(NamedTuple):
    """word: as squeue has it, RUNNING; reason: why it waits; token: the comment that the job was submitted with."""

    word: str
    reason: str
    token: str


def require_slurm() -> None:
    """Raise InputError if its commands are not here, or its controller does not answer."""
    if missing := [name for name in COMMANDS if shutil.which(name) is None]:
        raise InputError(
            f"ENGINE=slurm needs Slurm's commands, and {', '.join(missing)} cannot be found; run it on a node of the "
            "cluster from which jobs are submitted, or without ENGINE on this machine"
        )
    answer = _run("sinfo", "--noheader", "--format=%P")
    if answer.returncode:
        raise InputError(f"Slurm does not answer: {last_line(answer.stderr)}")


def require_valid(script: str) -> None:
    """Raise InputError if Slurm would refuse a job's script."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as handle:
        handle.write(script)
        handle.flush()
        answer = _run("sbatch", "--test-only", handle.name)
    if answer.returncode:
        raise InputError(
            f"Slurm refuses the settings of jobs: {last_line(answer.stderr)}; mend `cluster` in params.local.yaml, or "
            "the SBATCH_… variables"
        )


def states() -> dict[str, State] | None:
    """Job -> its state, of all jobs of this user that Slurm remembers; None if it does not answer now."""
    answer = _run(
        "squeue", "--noheader", "--states=all", f"--user={getpass.getuser()}", "--format=%i|%T|%r|%k",
    )  # fmt: skip
    if answer.returncode:
        return None
    rows = [line.strip().split("|", 3) for line in answer.stdout.splitlines() if line.count("|") >= 3]
    return {number: State(*rest) for number, *rest in rows}


def cancel(numbers: Sequence[str]) -> None:
    if numbers:
        _run("scancel", *numbers)


def last_line(text: str) -> str:
    """The last sentence of an error, without the name of the command before it."""
    lines = [line for line in text.splitlines() if line.strip()] or ["no word of why"]
    return lines[-1].removeprefix("sbatch: ").removeprefix("sinfo: ").removeprefix("error: ")


def _run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
