"""The commands of a stage and how they are run: all that a job needs to know of DVC, which it never imports."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.atomic import remove

MARK = "dvc: "
"""Before each line of a job's log that no stage printed; the words are those of `dvc repro`."""


class Step(NamedTuple):
    """A stage that has something to do.

    commands: argument lists, one after the other; outs: what is deleted before they run; variables: what DVC adds to
    the environment.
    """

    stage: str
    commands: Sequence[Sequence[str]]
    outs: Sequence[str]
    variables: Mapping[str, str]


Run = Callable[[Sequence[str], Mapping[str, str]], int]
"""Runs an argument list with these variables in its environment; its exit status, negative for a signal."""


def run_step(step: Step, run: Run) -> str:
    """Run its commands as far as they succeed; why it failed, else empty."""
    print(f"{MARK}Running stage '{step.stage}':", flush=True)
    for out in step.outs:
        remove(Path(out))
    for command in step.commands:
        print(f"{MARK}> {command[-1]}", flush=True)
        if status := run(command, step.variables):
            return f"failed to run: {command[-1]}, exited with {status}"
    return ""


def complaint(stage: str, why: str) -> str:
    """How a log says that a stage failed."""
    lines = f"ERROR: failed to reproduce '{stage}': {why}".splitlines()
    return "".join(f"{MARK}{line}\n" for line in lines)
