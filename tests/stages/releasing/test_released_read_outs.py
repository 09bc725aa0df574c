"""Released results of systems whose links are read out in several ways."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from stages.files.run_directory import RunDirectory
from stages.pipeline import release
from stages.pipeline.jobs import Job
from stages.releasing.results_file import READ_OUTS_FILE, REVERSE_FILE, read_results
from stages.reporting.results import read_read_outs
from tests.helpers.report_study import contents, write
from tests.stages.releasing.conftest import RUN, settings
from tests.stages.releasing.released_results import both_directions, elsewhere, path_of, take_all

SEEDS = (1, 2)


@pytest.fixture
def read_out(project: Path) -> None:
    """The study reads the links of star out."""
    for seed in SEEDS:
        found = {"gradient": {"aer": 30.0 + seed, "precision": 60.0, "recall": 80.0}}
        record = {"variant": "star", "seed": seed, "read_outs": found, "head": None}
        write(RunDirectory(RUN).read_outs("star") / f"{seed}.json", json.dumps(record))
    settings(read_outs=["star"])


@pytest.mark.usefixtures("read_out")
def test_read_outs_come_back_without_being_asked_for() -> None:
    run = RunDirectory(RUN)
    before = read_read_outs(run, ["plain", "star"], ["star"], SEEDS)
    release.main()
    elsewhere()
    assert read_read_outs(run, ["plain", "star"], [], SEEDS) == {}
    take_all()
    assert read_read_outs(run, ["plain", "star"], [], SEEDS) == before
    assert read_read_outs(run, ["plain", "star"], [], (*SEEDS, 3)) == {}  # not of every seed


@pytest.mark.usefixtures("read_out")
def test_a_study_without_them_leaves_what_was_released(capsys: pytest.CaptureFixture[str]) -> None:
    release.main()
    before = contents(Path("reports/released"))
    settings()
    capsys.readouterr()
    release.main()
    assert contents(Path("reports/released")) == before
    assert capsys.readouterr().out.count("as it was") == 4


@pytest.mark.usefixtures("read_out")
def test_read_outs_keep_the_reverse_direction_of_the_same_training(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both_directions()
    release.main()
    reverse = read_results(path_of("star", 1))[1][REVERSE_FILE]
    settings(systems=["plain", "star"], fine_tuned={}, read_outs=["star"])
    capsys.readouterr()
    release.main()
    _, files = read_results(path_of("star", 1))
    assert files[REVERSE_FILE] == reverse and "gradient" in json.loads(files[READ_OUTS_FILE])["read_outs"]
    assert capsys.readouterr().out.count("as it was") == 2  # plain
    monkeypatch.setattr("sys.argv", ["release", "--replace", "1"])
    scores = RUN / "scores/star-1/scores.json"
    scores.write_text(scores.read_text().replace("1", "2", 1))
    release.main()
    assert read_results(path_of("star", 1))[1][REVERSE_FILE] == reverse  # the same training, scored otherwise
    write(RUN / "models/star/1/curve.csv", "epoch,updates,dev_ppl,dev_bleu\n1,9,9.0,9.0\n")
    release.main()
    assert REVERSE_FILE not in read_results(path_of("star", 1))[1]  # of another training


@pytest.mark.usefixtures("read_out")
def test_results_wait_for_their_read_outs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stage = "read_outs@small-star"
    pipeline = release.Pipeline()
    jobs = pipeline.jobs | {Job((stage,), frozenset({"small", "star"})): set()}
    changed = lambda stages, say: {stage} & {*stages}  # noqa: E731
    monkeypatch.setattr(release, "Pipeline", lambda: SimpleNamespace(jobs=jobs, changed=changed))
    release.main()
    said = capsys.readouterr().out
    assert said.count("star-1: not up to date") == said.count("star-2: not up to date") == 1
    assert not path_of("star", 1).exists() and path_of("plain", 1).exists()
    settings()
    release.main()
    assert path_of("star", 1).exists()
