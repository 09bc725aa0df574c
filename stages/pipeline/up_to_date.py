"""Whether what a training came to is that of the settings and the code as they are now."""

from collections.abc import Collection, Sequence

from stages.pipeline.graph import Pipeline
from stages.pipeline.jobs import Before, Job

REVERSE, READ_OUTS = "_reverse@", "read_outs@"
CHECK = "check@"
"""It makes nothing, and runs again after every edit."""


def stale_results(pipeline: Pipeline, labels: Sequence[object], asked: Collection[str] = ()) -> str:
    """Why the results are not up to date, in a sentence; empty if they are.

    labels: a training, or a system without seeds. asked: those of REVERSE and READ_OUTS that count too.
    """
    names = [str(label) for label in labels]
    stages = _stages(pipeline, names, asked)
    if stages and not pipeline.changed(stages, print):
        return ""
    return f"{'-'.join(names)}: not up to date, or not there; `make repro` makes it"


def _stages(pipeline: Pipeline, labels: Sequence[str], asked: Collection[str]) -> list[str]:
    """Of the training and of what is made of it, behind those of all that they wait for."""
    found: list[str] = []
    waited: set[Job] = set()
    for job in pipeline.jobs:
        if {*labels} <= job.labels:
            own = [stage for stage in job.stages if REVERSE in asked or REVERSE not in stage]
        elif READ_OUTS in asked and labels[0] in job.labels:  # of all seeds at once
            own = [stage for stage in job.stages if stage.startswith(READ_OUTS)]
        else:
            continue
        found += own
        waited |= _before(job, pipeline.jobs)
    waiting = (stage for job in waited for stage in job.stages if not stage.startswith(CHECK))
    return [*waiting, *found] if found else []


def _before(job: Job, jobs: Before) -> set[Job]:
    """What a job waits for, and what that waits for."""
    found, waiting = set[Job](), [*jobs[job]]
    while waiting:
        if (one := waiting.pop()) not in found:
            found.add(one)
            waiting += jobs[one]
    return found
