"""What becomes of a job by what Slurm says of it; how jobs are submitted. Without Slurm, whose part a class plays."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import submitit

from stages.pipeline import queue, slurm
from stages.pipeline.cluster import Cluster
from stages.pipeline.cluster_job import DONE
from stages.pipeline.execute import Ended
from stages.pipeline.jobs import Job
from stages.pipeline.queue import State
from stages.pipeline.slurm import LOOKS, Slurm
from stages.pipeline.steps import Step

JOB = Job(("train@a-1", "evaluate@a-1"), frozenset(["a", "1"]))
STEPS = [Step(stage, [["true"]], [], {}) for stage in JOB.stages]
CLUSTER = Cluster(gpus=2, warning=100, requeues=7, attempts=3, poll=0.2)


class Executor:
    """Submitit's: keeps what it is asked for."""

    made: list["Executor"]

    def __init__(self, folder: Path, max_num_timeout: int, python: str) -> None:
        self.folder, self.requeues, self.given = folder, max_num_timeout, {}
        self.made.append(self)

    def update_parameters(self, **given: object) -> None:
        self.given |= given

    def _make_submission_file_text(self, command: str, name: str) -> str:
        return ""

    def submit(self, job) -> SimpleNamespace:
        self.job = job
        return SimpleNamespace(job_id=str(len(self.submitted())))

    @classmethod
    def submitted(cls) -> list["Executor"]:
        return [one for one in cls.made if hasattr(one, "job")]


@pytest.fixture
def engine(tmp_path, monkeypatch) -> Slurm:
    """One that has submitted `JOB`."""
    Executor.made = []
    monkeypatch.setattr(submitit, "SlurmExecutor", Executor)
    monkeypatch.setattr(queue, "require_slurm", lambda: None)
    monkeypatch.setattr(queue, "require_valid", lambda script: None)
    said: list[str] = []
    made = Slurm(CLUSTER, 1, tmp_path, ["a"], said.append)
    made.said = said
    made.start(JOB, STEPS, {stage: "sum" for stage in JOB.stages})
    return made


def look(engine: Slurm, monkeypatch, word: str, reason: str = "None", times: int = 1) -> list[Ended]:
    """What ended at the last of so many looks; at those before it nothing may."""
    number = str(len(Executor.submitted()))
    monkeypatch.setattr(queue, "states", lambda: {number: State(word, reason, "")})
    for _ in range(times - 1):
        assert engine._look() == [] and len(Executor.submitted()) == int(number)
    return engine._look()


@pytest.mark.parametrize("word", [*sorted(queue.GONE - {"CANCELLED"}), "FORGOTTEN"])
def test_a_job_that_left_no_result_is_submitted_again_after_some_looks(engine, monkeypatch, word):
    assert look(engine, monkeypatch, word, times=LOOKS) == []
    assert len(Executor.submitted()) == 2 and engine._read(JOB).attempt == (1 if word == "PREEMPTED" else 2)
    assert f"failed at attempt 1 of 3: Slurm says {word}, and it left no result; it is job 2" in engine.said[-1]


def test_a_cancelled_job_is_not_submitted_again(engine, monkeypatch):
    (ended,) = look(engine, monkeypatch, "CANCELLED", times=LOOKS)
    assert ended == Ended(JOB, [], "Slurm says CANCELLED, and it left no result") and len(Executor.submitted()) == 1


def test_a_job_that_failed_too_often_has_failed(engine, monkeypatch):
    for _ in range(CLUSTER.attempts - 1):
        assert look(engine, monkeypatch, "FAILED", times=LOOKS) == []
    (ended,) = look(engine, monkeypatch, "FAILED", times=LOOKS)
    assert ended.why and len(Executor.submitted()) == CLUSTER.attempts


def test_a_job_that_runs_again_is_not_missed(engine, monkeypatch):
    for _ in range(3):
        assert look(engine, monkeypatch, "NODE_FAIL", times=LOOKS - 1) == []
        assert look(engine, monkeypatch, "RUNNING") == []
    assert len(Executor.submitted()) == 1


def test_a_result_that_is_late_is_waited_for(engine, monkeypatch):
    paths = engine._running[JOB].job.paths
    assert look(engine, monkeypatch, "COMPLETED", times=LOOKS - 1) == []
    paths.result_pickle.touch()
    assert look(engine, monkeypatch, "COMPLETED", times=2) == []
    monkeypatch.setattr(slurm, "_result", lambda job: "")
    (paths.folder / DONE).write_text("train@a-1\nevaluate@a-1\n")
    assert engine.ended() == [Ended(JOB, [*JOB.stages], "")]


def test_stages_that_have_ended_do_not_run_again(engine, monkeypatch):
    (engine._running[JOB].job.paths.folder / DONE).write_text("train@a-1\n")
    assert look(engine, monkeypatch, "NODE_FAIL", times=LOOKS) == []
    assert [step.stage for step in Executor.submitted()[-1].job.steps] == ["evaluate@a-1"]
    (ended,) = look(engine, monkeypatch, "CANCELLED", times=LOOKS)
    assert ended.done == ["train@a-1"]


def test_why_a_job_waits_is_said_once_if_it_is_unusual(engine, monkeypatch):
    before = len(engine.said)
    for reason in ("Priority", "QOSMaxJobsPerUser", "QOSMaxJobsPerUser", "Resources", "PartitionDown"):
        look(engine, monkeypatch, "PENDING", reason)
    assert engine.said[before:] == [
        f"{JOB.name} waits in Slurm: {why}" for why in ("QOSMaxJobsPerUser", "PartitionDown")
    ]


def test_how_a_job_is_submitted(engine):
    engine.start(Job(("corpus@x",)), [], {})
    trains, reads = Executor.submitted()
    assert (trains.requeues, trains.job.grace) == (CLUSTER.requeues, 80)
    assert trains.given["signal_delay_s"] == 100 and trains.given["additional_parameters"] == {"requeue": True}
    assert (trains.given["gpus_per_node"], reads.given.get("gpus_per_node")) == (2, None), "of a system alone"
    assert trains.given["comment"] == engine._read(JOB).token != reads.given["comment"]


def test_how_to_end_jobs_that_go_on_is_said(engine):
    engine.stop()
    assert engine.said[-1] == "jobs go on in Slurm, and the next run finds them; `scancel 1` ends them"


@pytest.mark.process
def test_what_squeue_prints_is_read(tmp_path, monkeypatch):
    """Of two jobs, and what is no row."""
    program = tmp_path / "squeue"
    program.write_text("#!/bin/sh\nprintf '7|PENDING|Priority|abc\\n8|RUNNING|None|a|b\\nslurm_load_jobs error\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert queue.states() == {"7": State("PENDING", "Priority", "abc"), "8": State("RUNNING", "None", "a|b")}
    program.write_text("#!/bin/sh\nexit 1\n")
    assert queue.states() is None
