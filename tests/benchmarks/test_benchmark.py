"""The benchmark as a whole, through its command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import parity
from benchmarks.baseline import BASELINES
from benchmarks.commit import now_and_commit
from benchmarks.report import write_report
from benchmarks.rounds import TUNED
from benchmarks.sizes import FULL, SMOKE
from benchmarks.systems import BASE, FAIRSEQ, named
from fairseq_plugins.kernels import rounds_quickly
from stages.files.errors import InputError
from stages.files.records import read_json
from tests.helpers.paths import ROOT

END = f"the_reference_implementation[{BASE}]"


def test_a_system_whose_parity_is_broken_is_left_out(monkeypatch):
    passed = {f"test_equals_{END}", f"test_losses_equal_{END}"}
    monkeypatch.setattr(parity, "_passed", lambda tests: (passed, "====\nE   assert 1 == 2\n\n1 failed\n"))
    found = parity.broken(named([BASE, FAIRSEQ]), [])
    test = f"tests/fairseq_plugins/models/test_parity.py::test_gradients_equal_{END}"
    assert found == {BASE: f"{test} does not pass: assert 1 == 2"}


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "test", "said"),
    [("", "::test_x", "not found: .*::test_x"), ("import nowhere", "", "ModuleNotFoundError: .* 'nowhere'")],
)
def test_tests_that_cannot_be_run_leave_no_system_out(tmp_path, text, test, said):
    """A name that has changed, a file that cannot be read."""
    path = tmp_path / "test_of_parity.py"
    path.write_text(text)
    with pytest.raises(InputError, match=f"could not be run: pytest ends with [24]: {said}"):
        parity._passed([f"{path}{test}"])


@pytest.mark.process
def test_the_smoke_form(tmp_path):
    """Through the command, parity checks included."""
    smoke = [sys.executable, "-m", "benchmarks", "--smoke", "--out", str(tmp_path), "--repeats", "1"]
    done = subprocess.run(
        [*smoke, "--threads", "1", "--systems", BASE, FAIRSEQ], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    content = json.loads((tmp_path / "results.json").read_text())
    assert content["dropped"] == {} and {"date": content["date"], "commit": content["commit"]} == now_and_commit()
    rows = content["sizes"]["smoke"]["systems"]
    baselines = [name + end for name, of in BASELINES.items() if of == BASE for end in ("", TUNED)]
    assert [*rows] == [BASE, FAIRSEQ, *baselines]
    for name, row in rows.items():
        speed = row["tokens_per_second"]
        assert (row["warm"] is None) == (name in BASELINES)
        assert 0 < speed["min"] <= speed["median"] <= speed["max"]
        assert (row["fraction_of_limit"] is None) == (row["sentences_per_second"] is None) == (name in baselines)
        assert (row["rounded"] is None) == (name in baselines or name == FAIRSEQ or not rounds_quickly())
        assert (row["rounded_sentences_per_second"] is None) == (row["rounded"] is None)
    page = (tmp_path / "results.md").read_text()
    assert f"| `{BASE}` |" in page
    write_report(content, tmp_path / "again.md")
    assert (tmp_path / "again.md").read_text() == page
    for row in rows.values():  # what a GPU adds
        row["decoder_seconds"] = row["step_seconds"]
    write_report(content, tmp_path / "gpu.md")
    assert "of its latency limit" in (tmp_path / "gpu.md").read_text()


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ([], "benchmarks"), (["--repeats", "3"], "benchmarks"), (["--smoke"], "work/bench-smoke"),
        (["--systems", BASE], "work/bench"), (["--sizes", "H512-S30"], "work/bench"), (["--toolkits"], "work/bench"),
        (["--systems", BASE, "--out", "here"], "here"),
    ],
)  # fmt: skip
def test_only_a_whole_run_takes_the_place_of_the_committed_results(monkeypatch, given, place):
    used = []
    monkeypatch.setattr(command, "run", lambda *of: used.append(of[-1]))
    monkeypatch.setattr(sys, "argv", ["benchmarks", *given])
    command.main()
    assert used == [Path("here") if place == "here" else ROOT / place]


@pytest.mark.process
@pytest.mark.parametrize("given", [["--systems", "nobody"], ["--sizes", "H9"]])
def test_an_unknown_name_is_refused(given):
    done = subprocess.run([sys.executable, "-m", "benchmarks", *given], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and given[1] in done.stderr and "Traceback" not in done.stderr


def test_the_committed_page_is_that_of_the_committed_results(tmp_path):
    write_report(read_json(ROOT / "benchmarks/results.json"), tmp_path / "results.md")
    assert (tmp_path / "results.md").read_text() == (ROOT / "benchmarks/results.md").read_text()


def test_the_page_says_which_steps_were_not_warm(tmp_path):
    content = read_json(ROOT / "benchmarks/results.json")
    rows = content["sizes"]["H512-S15"]["systems"]
    rows[BASE]["warm"], rows[FAIRSEQ]["warm"] = 1, rows[FAIRSEQ]["steps"]
    write_report(content, tmp_path / "results.md")
    page = (tmp_path / "results.md").read_text()
    assert page.count(" warm | ") == 1 and "), 1 of 3 warm | " in page


def test_sizes_have_names_of_their_own():
    names = [size.name for size in (*FULL, *SMOKE)]
    assert len(set(names)) == len(names)
