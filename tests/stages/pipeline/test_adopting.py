"""Jobs of an earlier run are found again, also while Slurm does not answer, and their lines are shown; without it."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from stages.pipeline import queue
from stages.pipeline.execute import Ended
from stages.pipeline.jobs import Job
from stages.pipeline.runner import RunRequest, reproduce
from stages.pipeline.slurm import Record, Slurm, _Submitted
from tests.stages.pipeline.toy import Toy

OTHER, OURS = queue.State("RUNNING", "None", "other"), queue.State("RUNNING", "None", "ours")


@pytest.mark.parametrize(
    ("answers", "number"),
    [
        ([{"6": OTHER, "7": OURS}], "7"),
        ([None, None, {"6": OTHER, "7": OURS}], "7"),
        ([None, {"6": OTHER}], None),
    ],
)
def test_a_job_of_unknown_number_is_found_by_its_token_once_slurm_answers(monkeypatch, answers, number):
    said, left = [], iter(answers)
    monkeypatch.setattr(queue, "states", lambda: next(left))
    slurm = Slurm.__new__(Slurm)
    slurm._say, slurm._silent, slurm._cluster = said.append, False, SimpleNamespace(poll=0.01)
    assert slurm._number("ours") == number
    assert said == ["Slurm does not answer; waiting until it does"] * (None in answers)


class Elsewhere:
    """An engine that has run c's stages for an earlier run, and runs nothing else."""

    slots, together = 1, True

    def __init__(self) -> None:
        self.jobs, self.forgotten, self.dropped = [], [], []

    def drop(self, job) -> None:
        self.dropped.append(job.name)

    def adopt(self, job, due, inputs) -> bool:
        assert (due, list(inputs)) == (["score@c-1"], ["train@c-1", "score@c-1"])
        Path("c.score").write_text("c\n")
        self.jobs.append(job)
        return True

    def wait(self, seconds) -> None:
        time.sleep(seconds)

    def ended(self) -> list[Ended]:
        return [Ended(self.jobs.pop(), ["train@c-1", "score@c-1"], "")] if self.jobs else []

    def printed(self):
        return iter(())

    def forget(self, job) -> None:
        self.forgotten.append(job.name)

    def stop(self) -> None:
        pass


@pytest.mark.dvc
def test_a_runner_that_was_killed_while_it_recorded_a_job_records_the_rest(tmp_path, monkeypatch):
    toy, engine = Toy(tmp_path), Elsewhere()
    assert toy.run().returncode == 0
    before = yaml.safe_load(toy.text("dvc.lock"))
    Path(toy.folder, "c.score").unlink()
    toy.write(**{"dvc.lock": yaml.safe_dump(before | {"stages": before["stages"] | {"score@c-1": {"cmd": "none"}}})})
    monkeypatch.chdir(toy.folder)
    assert reproduce(RunRequest(1, ["a", "b", "c"], [], {}, lambda _: None, lambda *_: engine), 0) == (True, [])
    assert engine.forgotten == ["train@c-1"]
    assert sorted(engine.dropped) == ["corpus", "report", "train@a-1", "train@b-1"]  # the report is as it was
    assert yaml.safe_load(toy.text("dvc.lock")) == before
    assert toy.run().stdout.endswith("nothing to do\n")


@pytest.mark.parametrize(("number", "cancelled"), [("7", ["7"]), (None, ["8"])])
def test_a_job_with_nothing_left_to_do_is_cancelled_and_forgotten(tmp_path, monkeypatch, number, cancelled):
    """One whose runner was killed before it forgot it, or one of settings that were taken back."""
    job, found = Job(("train@a-1",)), []
    monkeypatch.setattr(queue, "states", lambda: {"8": OURS})
    monkeypatch.setattr(queue, "cancel", found.extend)
    slurm = Slurm.__new__(Slurm)
    slurm._logs, slurm._silent = tmp_path, False
    record = Record(token="ours", number=number, attempt=1, inputs={}, steps=[], done=[], gpus=False)
    slurm._folder(job, "ours").mkdir(parents=True)
    slurm._write(job, record)
    slurm.drop(job)
    slurm.drop(job)
    assert found == cancelled and not list(tmp_path.glob("*/job.json"))


@pytest.mark.parametrize(
    ("now", "due", "goes_on"),
    [
        ({"train": "lr 1", "evaluate": "beam 4", "score": ""}, ["train", "evaluate", "score"], True),
        ({"train": "lr 1", "evaluate": "beam 4", "score": ""}, ["evaluate", "score"], True),
        ({"train": "lr 2", "evaluate": "beam 4", "score": ""}, ["evaluate", "score"], False),  # it trains with lr 1
        ({"train": "lr 1", "evaluate": "beam 9", "score": ""}, ["evaluate", "score"], False),
        ({"tag": "", "train": "lr 1", "evaluate": "beam 4", "score": ""}, ["tag", "train"], False),
    ],
)
def test_a_job_goes_on_if_all_that_it_does_is_as_it_was(tmp_path, monkeypatch, now, due, goes_on):
    inputs = {"train": "lr 1", "evaluate": "beam 4", "score": ""}
    record = Record(token="ours", number="7", attempt=1, inputs=inputs, steps=[], done=[], gpus=False)
    cancelled, followed = [], []
    monkeypatch.setattr(queue, "cancel", cancelled.extend)
    slurm = Slurm.__new__(Slurm)
    slurm._say = slurm.log = lambda said: None
    slurm._earlier, slurm._follow = lambda job: record, lambda job, found: followed.append(found)
    assert slurm.adopt(Job(("train@a-1",)), due, now) is goes_on
    assert (followed, cancelled) == (([record], []) if goes_on else ([], ["7"]))


def test_only_what_stages_printed_is_shown_when_slurm_is_asked(tmp_path, monkeypatch):
    (tmp_path / "log").write_text(
        "submitit INFO (2026-11-23) - Starting\n"
        "begun\n"
        "srun: Job step aborted\n"
        "slurmstepd: error: *** JOB 17 ON node1 CANCELLED AT 2026-11-23T03:03:20 DUE TO JOB REQUEUE ***\n"
        "slurmstepd-node1: error: *** STEP 17.0 ON node1 CANCELLED AT 2026-11-23T03:03:20 DUE TO JOB REQUEUE ***\n"
        "slurmstepd is a word\n"
    )
    paths = SimpleNamespace(stdout=tmp_path / "log", result_pickle=tmp_path / "none")
    job, record = Job(("train@a-1",)), SimpleNamespace(number="7")
    monkeypatch.setattr(queue, "states", lambda: {"7": OURS})
    slurm = Slurm.__new__(Slurm)
    slurm._running = {job: _Submitted(SimpleNamespace(paths=paths), record)}
    slurm._lines, slurm._asked, slurm._silent, slurm._cluster = [], 0.0, False, SimpleNamespace(poll=0.01)
    assert slurm.ended() == []
    assert list(slurm.printed()) == [(job, "begun"), (job, "slurmstepd is a word")]
