"""Jobs in Slurm's queue, by way of submitit: one for the stages of a system with a seed.

What is known of a job stands in a file, so that a runner that was killed finds it again and submits nothing twice.
"""

import re
import shlex
import shutil
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import submitit
from pydantic import BaseModel
from submitit.slurm.slurm import SlurmJob

from stages.files.errors import InputError
from stages.files.records import read_json, write_json
from stages.pipeline import queue
from stages.pipeline.cluster import Cluster
from stages.pipeline.cluster_job import ClusterJob, done
from stages.pipeline.execute import Ended, Lines, file_name, write_lines_to
from stages.pipeline.graph import Tell
from stages.pipeline.jobs import Job
from stages.pipeline.steps import Step
from stages.settings.params import validate

RECORD = "job.json"

BLOCK = (
    "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGUSR2]); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Runs a command in which the warning signal waits: it would end a process that does not listen yet."""

NOISE = re.compile(r"submitit |srun: |slurmstepd(-\S+)?: ")
"""How lines in a log begin that no stage printed; a host of several nodes adds their names."""

USUAL = frozenset(
    ["None", "Resources", "Priority", "Dependency", "BeginTime", "Licenses", "JobArrayTaskLimit", "Cleaning"]
)
"""Why a job waits without anything being wrong."""

LOOKS = 3
"""So often Slurm says that a job is over before its result is missed: file systems of clusters are late."""


class Record(BaseModel):
    """A job as it was submitted last.

    token: of this submission, its folder's name and its comment in Slurm; number: Slurm's; inputs: stage -> a sum of
    all that it reads; steps: what is to run; done: stages that earlier attempts ended.
    """

    token: str
    number: str | None
    attempt: int
    inputs: dict[str, str]
    steps: list[Step]
    done: list[str]
    gpus: bool


class _Submitted:
    """A job in Slurm's queue, and the part of its log that has been read."""

    def __init__(self, job: SlurmJob, record: Record) -> None:
        self.job, self.record = job, record
        self.lines, self.missed, self.reason = Lines(job.paths.stdout, 0), 0, "None"


class Slurm:
    """Slurm's queue as an engine. logs: a folder that all nodes share, gets a folder a job."""

    together = True

    def __init__(self, cluster: Cluster, slots: int, logs: Path, systems: Sequence[str], say: Tell) -> None:
        self.slots, self._cluster, self._say = slots, cluster, say
        self._logs, self._systems = logs.resolve(), frozenset(systems)
        self._running: dict[Job, _Submitted] = {}
        self._log_of: dict[Job, Path] = {}
        self._lines: list[tuple[Job, str]] = []
        self._asked = 0.0
        self._silent = False
        queue.require_slurm()
        for gpus in (False, True):
            executor = self._executor("test", "test", gpus)
            queue.require_valid(executor._make_submission_file_text("true", "test"))

    def adopt(self, job: Job, due: Sequence[str], inputs: Mapping[str, str]) -> bool:
        """Whether an earlier run submitted this job with what is due and with these inputs, of all its stages, so that
        it goes on or has ended; one with others is cancelled, also if it makes more than what is due."""
        record = self._earlier(job)
        if record is None or record.number is None:
            return False
        if not {*due} <= record.inputs.keys() or record.inputs.items() - inputs.items():
            queue.cancel([record.number])
            return False
        self._follow(job, record)
        self._say(f"{job.name} is job {record.number} of Slurm since an earlier run; its log: {self.log(job)}")
        return True

    def drop(self, job: Job) -> None:
        if (record := self._earlier(job)) is not None:
            queue.cancel([record.number] if record.number else [])
            self.forget(job)

    def start(self, job: Job, steps: Sequence[Step], inputs: Mapping[str, str]) -> None:
        shutil.rmtree(self._logs / file_name(job), ignore_errors=True)
        gpus = not job.labels.isdisjoint(self._systems)
        record = Record(token="", number=None, attempt=1, inputs=dict(inputs), steps=list(steps), done=[], gpus=gpus)
        self._submit(job, record)
        self._say(f"{job.name} is job {record.number} of Slurm; its log: {self.log(job)}")

    def wait(self, seconds: float) -> None:
        time.sleep(min(1.0, self._cluster.poll))

    def ended(self) -> list[Ended]:
        found = []
        for job, one in list(self._running.items()):
            if one.job.paths.result_pickle.exists():
                found += self._over(job, one, _result(one.job))
        if time.monotonic() - self._asked > self._cluster.poll:
            self._asked = time.monotonic()
            found += self._look()
        return found

    def printed(self) -> Iterator[tuple[Job, str]]:
        while self._lines:
            yield self._lines.pop(0)

    def log(self, job: Job) -> Path:
        """That of its last attempt."""
        path = self._log_of.get(job, self._logs / file_name(job) / "log")
        return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path

    def complain(self, job: Job, lines: str) -> None:
        write_lines_to(self.log(job), lines, begun=job in self._log_of)

    def forget(self, job: Job) -> None:
        """What became of a job is recorded elsewhere."""
        (self._logs / file_name(job) / RECORD).unlink(missing_ok=True)

    def stop(self) -> None:
        """Jobs go on without this process; the next run finds them."""
        if self._running:
            numbers = " ".join(one.record.number or "" for one in self._running.values())
            self._say(f"jobs go on in Slurm, and the next run finds them; `scancel {numbers}` ends them")
        self._running.clear()

    def _submit(self, job: Job, record: Record) -> None:
        """The token is written first: a runner that is killed before it knows the number finds the job by that."""
        record.token, record.number = uuid.uuid4().hex, None
        folder = self._folder(job, record.token)
        folder.mkdir(parents=True)
        self._write(job, record)
        steps = [step for step in record.steps if step.stage not in record.done]
        executor = self._executor(file_name(job), record.token, record.gpus, folder)
        try:
            submitted = executor.submit(ClusterJob(Path.cwd(), folder, steps, self._cluster.warning * 0.8))
        except submitit.core.utils.FailedJobError as error:
            raise InputError(f"Slurm refuses the job: {queue.last_line(str(error))}") from error
        record.number = submitted.job_id
        self._write(job, record)
        self._follow(job, record)

    def _executor(self, name: str, token: str, gpus: bool, folder: Path | None = None) -> submitit.SlurmExecutor:
        python = f"{shlex.quote(sys.executable)} -S -c {shlex.quote(BLOCK)} {shlex.quote(sys.executable)}"
        executor = submitit.SlurmExecutor(folder or self._logs, max_num_timeout=self._cluster.requeues, python=python)
        given = self._cluster.submission(gpus)
        executor.update_parameters(job_name=name, comment=token, stderr_to_stdout=True, **given)
        return executor

    def _follow(self, job: Job, record: Record) -> None:
        folder = self._folder(job, record.token)
        assert record.number is not None  # Slurm has taken it
        self._running[job] = _Submitted(SlurmJob(folder, record.number), record)
        self._log_of[job] = self._running[job].job.paths.stdout

    def _look(self) -> list[Ended]:
        """Ask Slurm for those of which no result has come, and read what they printed."""
        found, known = [], self._states()
        if not known and self._silent:
            return []
        for job, one in self._running.items():
            self._read_lines(job, one)
        for job, one in list(self._running.items()):
            state = known.get(one.record.number or "", queue.State("FORGOTTEN", "None", ""))
            if state.word in queue.GONE or state.word == "FORGOTTEN":
                one.missed += 1
                if one.missed >= LOOKS and not one.job.paths.result_pickle.exists():
                    found += self._over(job, one, f"Slurm says {state.word}, and it left no result", state.word)
                continue
            one.missed = 0
            if state.word == "PENDING" and state.reason not in USUAL | {one.reason}:
                self._say(f"{job.name} waits in Slurm: {state.reason}")
            one.reason = state.reason
        return found

    def _over(self, job: Job, one: _Submitted, why: str, word: str = "") -> list[Ended]:
        """An attempt has ended: with the job, or with another attempt."""
        record = one.record
        record.done += [stage for stage in done(one.job.paths.folder) if stage not in record.done]
        self._read_lines(job, one)
        del self._running[job]
        attempt = record.attempt + (word != "PREEMPTED")
        if not why or word == "CANCELLED" or attempt > self._cluster.attempts:
            return [Ended(job, record.done, why)]
        said = f"{job.name} failed at attempt {record.attempt} of {self._cluster.attempts}: {why}"
        record.attempt = attempt
        self._submit(job, record)
        self._say(f"{said}; it is job {record.number} of Slurm now; its log: {self.log(job)}")
        return []

    def _states(self) -> dict[str, queue.State]:
        known = queue.states()
        if known is None and not self._silent:
            self._say("Slurm does not answer; waiting until it does")
        self._silent = known is None
        return known or {}

    def _earlier(self, job: Job) -> Record | None:
        """What an earlier run submitted, with its number if Slurm knows it."""
        if (record := self._read(job)) is not None:
            record.number = record.number or self._number(record.token)
        return record

    def _number(self, token: str) -> str | None:
        """Of the job with this token, once Slurm answers: one that it does not speak of would be submitted again."""
        known = self._states()
        while self._silent:
            self.wait(self._cluster.poll)
            known = self._states()
        return next((number for number, state in known.items() if state.token == token), None)

    def _read_lines(self, job: Job, one: _Submitted) -> None:
        if one.job.paths.stdout.exists():
            self._lines += [(job, line) for line in one.lines.new() if not NOISE.match(line)]

    def _folder(self, job: Job, token: str) -> Path:
        return self._logs / file_name(job) / token

    def _write(self, job: Job, record: Record) -> None:
        write_json(self._logs / file_name(job) / RECORD, record.model_dump())

    def _read(self, job: Job) -> Record | None:
        path = self._logs / file_name(job) / RECORD
        return validate(read_json(path), Record, "job", path) if path.exists() else None


def _result(job: SlurmJob) -> str:
    """Why it failed, in the words of the node, else empty."""
    try:
        return job.result()
    except (submitit.core.utils.FailedJobError, submitit.core.utils.UncompletedJobError) as error:
        lines: list[Any] = str(error).strip().splitlines()
        return lines[-1] if lines else "submitit knows no more"
