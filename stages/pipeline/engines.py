"""Where jobs run: on this machine, or on the nodes of a cluster."""

from pathlib import Path

from stages.files.errors import InputError
from stages.pipeline.cluster import Cluster, read_cluster
from stages.pipeline.execute import Executor
from stages.pipeline.graph import Tell
from stages.pipeline.runner import Engine, RunRequest

SUBMITTED = Path("work") / "cluster"
"""A folder a job that was handed to Slurm: its log, and what the next run has to know of it."""

LOCAL, SLURM = "local", "slurm"


def engine_of(name: str) -> Engine | None:
    """None: this machine.

    Raises:
        InputError: there is no such engine.
    """
    if name not in (LOCAL, SLURM):
        raise InputError(f"there is no engine {name}; ENGINE is {LOCAL} (this machine, the default) or {SLURM}")
    return _slurm if name == SLURM else None


def slots(name: str, of_machine: int) -> int:
    """Jobs at a time, unless told otherwise."""
    return read_cluster().jobs if name == SLURM else of_machine


def require_no_others(name: str) -> None:
    """Raise InputError if this machine is to run what Slurm may be running."""
    left = sorted(path.parent.name for path in SUBMITTED.glob("*/job.json")) if name == LOCAL else []
    if left:
        raise InputError(
            f"jobs of a run with ENGINE=slurm may be at work in this folder ({', '.join(left[:3])}"
            f"{' …' if len(left) > 3 else ''}); go on with ENGINE=slurm, or end them with scancel and delete "
            f"{SUBMITTED}"
        )


def _slurm(request: RunRequest, lock: int, say: Tell) -> Executor:
    from stages.pipeline.slurm import Slurm

    cluster: Cluster = read_cluster()
    return Slurm(cluster, request.slots, SUBMITTED, request.systems, say)
