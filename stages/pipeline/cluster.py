"""What a user's cluster wants to know: settings of this machine alone, which nothing that DVC hashes depends on."""

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from stages.files.errors import InputError
from stages.settings.params import Settings, read, validate

LOCAL = Path("params.local.yaml")
"""Not in git. Its one key is `cluster`."""

Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9][^\s'\"`$;|<>]*$")]
"""One word for a line of a job's script."""


class Cluster(Settings):
    """How jobs are handed to Slurm; `sbatch`'s own variables (SBATCH_PARTITION …) win over these.

    time: minutes that a job may take before it saves and queues again. memory: GB. cpus: of a job. gpus: of a job that
    trains or measures a system; others get none. setup: shell commands before a job begins. jobs: in the queue at a
    time. warning: seconds before the end of the time, in which a training saves. requeues: after so many limits of time
    a job has failed. attempts: so many failures and a job is given up. poll: seconds between two questions to Slurm.
    further: any other option of sbatch by its long name.
    """

    partition: Word | None = None
    account: Word | None = None
    qos: Word | None = None
    constraint: Word | None = None
    time: Annotated[int, Field(ge=1, le=60 * 24 * 365)] = 24 * 60
    memory: Annotated[float, Field(ge=0.1, le=10_000)] | None = None
    cpus: Annotated[int, Field(ge=1, le=1024)] | None = None
    gpus: Annotated[int, Field(ge=0, le=64)] = 0
    setup: tuple[str, ...] = ()
    jobs: Annotated[int, Field(ge=1, le=10_000)] = 100
    warning: Annotated[int, Field(ge=10, le=3600)] = 120
    requeues: Annotated[int, Field(ge=0, le=100_000)] = 1000
    attempts: Annotated[int, Field(ge=1, le=100)] = 3
    poll: Annotated[float, Field(ge=0.2, le=3600)] = 10
    further: dict[Word, str | int | bool] = Field(default={})

    @model_validator(mode="after")
    def _warned_after_the_start(self) -> Self:
        if self.warning >= 60 * self.time:
            seconds = f"{self.warning} of the {60 * self.time} seconds of time"
            raise ValueError(f"warning is {seconds}; write a smaller warning, or a longer time")
        return self

    def submission(self, gpus: bool) -> dict[str, object]:
        """These settings as submitit calls them. gpus: whether the job may use them."""
        given = {
            "partition": self.partition, "account": self.account, "qos": self.qos, "constraint": self.constraint,
            "time": self.time, "mem": f"{int(self.memory * 1024)}MB" if self.memory else None,
            "cpus_per_task": self.cpus, "gpus_per_node": self.gpus if gpus and self.gpus else None,
            "setup": list(self.setup) or None, "signal_delay_s": self.warning,
            "additional_parameters": {"requeue": True} | self.further,
        }  # fmt: skip
        return {key: value for key, value in given.items() if value is not None}


def read_cluster() -> Cluster:
    """Raises InputError: another key than `cluster`, or a setting that is unknown or wrong."""
    if not LOCAL.exists():
        return Cluster()
    content = read(LOCAL)
    if set(content) != {"cluster"}:
        others = ", ".join(sorted(set(content) - {"cluster"}))
        raise InputError(f"{LOCAL}: it has one key, cluster; {f'remove {others}' if others else 'add it'}")
    return validate(content["cluster"], Cluster, "cluster", LOCAL)
