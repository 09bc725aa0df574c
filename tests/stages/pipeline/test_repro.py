"""`make repro` around its runner: settings, what is printed at the end, and provenance."""

import json
from math import inf
from types import SimpleNamespace

import pytest

from stages.files.errors import InputError
from stages.pipeline import repro
from stages.pipeline.cores import systems_at_once
from stages.pipeline.durations import Durations
from stages.pipeline.jobs import Job
from stages.pipeline.runner import Result, RunRequest

METRICS = {
    "apart": {},
    "systems": {"a": {"title": "A", "mean": {"wall_seconds": 2.5, "tests": {"average": {"bleu": 1.0}}}}},
}


class Study:
    """A folder with a report, settings that are said to be loaded, and a runner that notes what it is asked for."""

    def __init__(self, folder, monkeypatch, result: Result | Exception, threads: int = 1) -> None:
        self.folder, self.wishes, self.checked = folder, [], []
        monkeypatch.chdir(folder)
        training = SimpleNamespace(training=SimpleNamespace(threads=threads), corpus=None)
        params = SimpleNamespace(
            study="my-study",
            corpus="text",
            released={"r": None},
            released_smt=["q"],
            translating=["a", "b", "c"],
            smt=["smt"],
            corpora={"text": training},
        )
        monkeypatch.setattr(repro, "check", lambda _: params)
        monkeypatch.setattr(repro, "check_report", self.checked.append)
        monkeypatch.setattr(repro, "require_text", lambda *given: self.checked.extend(given))
        monkeypatch.setattr(repro, "reproduce", self.reproduce)
        self.result, self.params = result, params
        (folder / ".dvc").mkdir()
        report = folder / "reports" / "my-study"
        (report / "tables").mkdir(parents=True)
        (report / "tables" / "main.md").write_text("the main table\n")
        (report / "metrics.json").write_text(json.dumps(METRICS))
        (folder / "params.yaml").write_text("study: my-study\n")

    def reproduce(self, request: RunRequest, lock: int) -> Result:
        self.wishes.append(request)
        with (self.folder / "params.yaml").open("a") as handle:
            handle.write("# an edit while it runs\n")
        if isinstance(self.result, Exception):
            raise self.result
        if self.result.worked:
            request.before_jobs(self.folder / "runs")
        return self.result

    def provenance(self) -> dict[str, str]:
        folder = self.folder / "reports" / "provenance" / "my-study"
        return {path.name: path.read_text() for path in folder.glob("*")}


def test_whoever_comes_second_neither_changes_params_nor_runs(tmp_path, monkeypatch):
    study = Study(tmp_path, monkeypatch, Result(False, []))

    def at_work(*_) -> Result:
        with pytest.raises(InputError, match="another run is at work"):
            repro.main(["--study", "other"])
        return study.result

    (tmp_path / "params.yaml").write_text("studies:\n  other: &other {study: other}\n  my: &my {study: my}\n<<: *my\n")
    before = (tmp_path / "params.yaml").read_text()
    monkeypatch.setattr(repro, "reproduce", at_work)
    repro.main([])
    assert (tmp_path / "params.yaml").read_text() == before


def test_released_results_come_before_any_training(tmp_path, monkeypatch):
    study = Study(tmp_path, monkeypatch, Result(True, []))
    study.params.released = {"a": None}
    repro.main([])
    request = study.wishes[0]
    assert request.seconds == {}
    assert Durations(request.systems, request.seconds).of(Job(("released@my-study-a-1",), frozenset("a"))) == inf


def test_what_the_runner_is_asked_for(tmp_path, monkeypatch):
    study = Study(tmp_path, monkeypatch, Result(True, []))
    repro.main(["--systems", "a  c", "--jobs", "3"])
    request = study.wishes[0]
    assert (request.slots, request.systems, request.only, request.seconds) == (
        3,
        ["r", "q", "a", "b", "c", "smt"],
        ["a", "c"],
        {"a": 2.5},
    )
    assert study.checked == [study.params, study.params, tmp_path / "runs"]


def test_as_many_systems_as_their_threads_find_cores(tmp_path, monkeypatch):
    study = Study(tmp_path, monkeypatch, Result(False, []), threads=3)
    repro.main(["--systems", ""])
    assert study.wishes[0].slots == systems_at_once(3) and study.wishes[0].only == []


def test_after_a_run_the_report_is_named_and_where_it_comes_from_is_kept(tmp_path, monkeypatch, capsys):
    study = Study(tmp_path, monkeypatch, Result(True, []))
    repro.main([])
    output = capsys.readouterr().out
    assert output.startswith("reports/my-study/ is complete; 0 s\n\nSystem")
    assert "\nreport: reports/my-study/README.md\n" in output and "the main table" not in output
    assert study.provenance() == {"params.yaml": "study: my-study\n"}


def test_what_a_kill_after_the_report_left_out_is_written_by_the_next_run(tmp_path, monkeypatch):
    study = Study(tmp_path, monkeypatch, Result(False, []))
    repro.main([])
    assert study.provenance() == {"params.yaml": "study: my-study\n"}


def test_with_nothing_to_do_it_says_so_and_what_the_report_is_of_is_kept(tmp_path, monkeypatch, capsys):
    study = Study(tmp_path, monkeypatch, Result(False, []))
    kept = tmp_path / "reports" / "provenance" / "my-study" / "params.yaml"
    kept.parent.mkdir(parents=True)
    kept.write_text("of the report before that of `dvc repro`\n")
    repro.main([])
    output = capsys.readouterr().out
    assert output.startswith("Everything is up to date.\nreports/my-study/ is complete; 0 s\n\nSystem")
    assert study.provenance() == {"params.yaml": "study: my-study\n"} and study.checked == []


def test_after_some_systems_the_report_is_as_it_was(tmp_path, monkeypatch, capsys):
    study = Study(tmp_path, monkeypatch, Result(True, [Job(("report",))]))
    repro.main(["--systems", "a"])
    output = capsys.readouterr().out
    assert output == (
        "no report was made, for SYSTEMS named some systems only: reports/my-study/ is as it was, and `make repro` "
        "makes it; 0 s\n"
    )
    assert study.provenance() == {}


def test_after_a_failure_nothing_is_shown_or_kept(tmp_path, monkeypatch, capsys):
    study = Study(tmp_path, monkeypatch, InputError("train@a-1 failed"))
    with pytest.raises(InputError, match="train@a-1 failed"):
        repro.main([])
    assert capsys.readouterr().out == "" and study.provenance() == {}


def test_keys_that_win_over_the_study_are_said_and_the_run_goes_on(tmp_path, monkeypatch, capsys):
    study = Study(tmp_path, monkeypatch, Result(False, []))
    (tmp_path / "params.yaml").write_text("studies: {my: &my {seeds: [1]}}\n<<: *my\nseeds: [2]\n")
    repro.main([])
    assert capsys.readouterr().out.startswith("params.yaml: seeds stands at the top level") and study.wishes


@pytest.mark.parametrize("jobs", ["0", "-1", "many", "٣"])
def test_a_number_of_jobs_that_is_none(capsys, jobs):
    with pytest.raises(SystemExit):
        repro.main(["--jobs", jobs])
    assert f"JOBS (--jobs): {jobs!r} is no whole number of at least 1" in capsys.readouterr().err
