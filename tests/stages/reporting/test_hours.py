"""Hours of trainings, each once: on CPU cores, and on GPUs."""

import json
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.reporting.hours import hours, hours_each, said
from stages.reporting.results import SystemResults
from tests.helpers.report_study import run_of, write


def system(name: str, seconds: float | None, **machine: object) -> SystemResults:
    run = run_of(1, 30.0)
    run.metrics["wall_seconds"] = seconds
    run.recipe["machine"] = machine
    return SystemResults(name, name, (run,))


def test_threads_count_on_cpus_and_the_reverse_direction_too(tmp_path: Path):
    backward = {"wall_seconds": 1800, "machine": {"threads": 2, "gpu": None}}
    write(tmp_path / "models/a/1-reverse/training.json", json.dumps(backward))
    systems = [system("a", 3600, threads=4, gpu=None), system("b", 7200, threads=4, gpu="H200"), system("c", None)]
    found = hours(RunDirectory(tmp_path), systems, ["a"])
    assert found == {"trainings": 4, "cpu": 5.0, "gpu": 2.0}
    assert said(found) == "4 trainings took at most 5.0 CPU-hours and 2.0 GPU-hours."


def test_hours_of_one_training_are_the_mean_of_the_runs_on_cpus_that_are_known():
    four, one = system("a", 3600, threads=4, gpu=None), system("a", 7200, threads=1, gpu=None)
    runs = (*four.runs, *one.runs, *system("a", None).runs, *system("a", 9.0, gpu="H200").runs)
    assert hours_each([SystemResults("a", "a", runs), system("b", 7200, gpu="H200"), system("c", None)]) == {"a": 3.0}


def test_a_lost_record_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"1-reverse/training\.json: no such file"):
        hours(RunDirectory(tmp_path), [system("a", 1.0)], ["a"])


def test_nothing_known():
    assert said({"trainings": 1, "cpu": 0, "gpu": 0}) == "1 training took no time that is known."
