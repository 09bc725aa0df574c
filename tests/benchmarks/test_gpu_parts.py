"""The parts of `make gpu` as processes, and what its tests said."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import commit
from benchmarks.gpu import __main__ as command
from benchmarks.gpu import aims, parts, waiting_tests
from benchmarks.gpu.parts import PARTS, Part
from stages.files.records import read_json, write_json
from stages.pipeline import cores
from tests.helpers.paths import ROOT
from tests.helpers.processes import lives, wait

HANGS = """
import json, subprocess, sys, time
json.dump({"half": 1, "failure": None}, open(OUT, "w"))
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open(OUT + ".pid", "w").write(str(child.pid))
time.sleep(60)
"""
ENDS = {
    "all is well": ("json.dump({'failure': None}, open(OUT, 'w'))", None, {"failure": None}),
    "what it finds is wrong": ("json.dump({'failure': 'x is wrong'}, open(OUT, 'w'))", "x is wrong", ...),
    "an exception": ("json.dump({'a': 1}, open(OUT, 'w')); 1 / 0", "ZeroDivisionError: division by zero", {"a": 1}),
    "a sentence": ("sys.exit('no such thing')", "no such thing", None),
    "a signal": ("os.kill(os.getpid(), 11)", "ended by SIGSEGV: it said nothing", None),
    "no results": ("pass", "it said nothing", None),
    "results that are none": ("open(OUT, 'w').write('{')", "it said nothing", None),
}


@pytest.fixture
def part(monkeypatch, tmp_path):
    """A function that runs this code as a part."""

    def run(code: str, seconds: int = 60):
        def command(part: Part, out: Path, device: str, smoke: bool) -> list[str]:
            (tmp_path / "out").write_text(str(out))
            return [sys.executable, "-c", f"import json, os, sys\nOUT = {str(out)!r}\n{code}"]

        monkeypatch.setattr(parts, "command", command)
        return parts.run(Part("any", "Any", seconds), "cpu", smoke=True)

    return run


@pytest.mark.process
@pytest.mark.parametrize(("code", "failure", "result"), ENDS.values(), ids=ENDS)
def test_how_a_part_ends(part, code, failure, result):
    done = part(code)
    assert done["failure"] == failure
    assert result is ... or done["found"] == result


@pytest.mark.process
def test_a_part_that_takes_too_long_is_stopped_with_all_that_it_started(part, monkeypatch):
    kept = {}
    monkeypatch.setattr(parts, "_found", lambda out: kept.update(pid=Path(f"{out}.pid").read_text()) or read_json(out))
    done = part(HANGS, seconds=10)
    assert (done["failure"], done["found"]) == ("stopped after its 10 seconds", {"half": 1, "failure": None})
    assert done["seconds"] < 40
    wait(lambda: not lives(int(kept["pid"])), seconds=10)  # on a busy machine the signal arrives later


def test_the_rest_goes_on_when_a_part_fails(monkeypatch, tmp_path, capsys):
    def run(part: Part, device: str, smoke: bool):
        failure = "it burnt" if part.name == "parity" else None
        return {"seconds": 1.0, "limit": part.seconds, "failure": failure, "found": None}

    monkeypatch.setattr(parts, "run", run)
    monkeypatch.setattr(sys, "argv", ["gpu", "--smoke", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as end:
        command.main()
    assert end.value.code == 1
    assert "failed: it burnt" in capsys.readouterr().out
    assert list(read_json(tmp_path / "gpu.json")["parts"]) == [part.name for part in PARTS]
    assert "| it burnt |" in (tmp_path / "gpu.md").read_text()


@pytest.fixture
def run_parts(monkeypatch, tmp_path):
    """A function that runs the command and returns the seconds of each part in gpu.json: here, how many ran before."""
    times = iter(range(10))

    def run(part: Part, device: str, smoke: bool):
        return {"seconds": next(times), "limit": part.seconds, "failure": None, "found": None}

    def main(*arguments: str):
        monkeypatch.setattr(sys, "argv", ["gpu", "--smoke", "--out", str(tmp_path), *arguments])
        with pytest.raises(SystemExit) as end:
            command.main()
        assert end.value.code == 0
        return {name: one["seconds"] for name, one in read_json(tmp_path / "gpu.json")["parts"].items()}

    monkeypatch.setattr(parts, "run", run)
    return main


def test_what_other_parts_found_stays_if_the_machine_is_the_same(run_parts, monkeypatch):
    assert run_parts("--parts", "kernels", "parity") == {"kernels": 0, "parity": 1}
    assert run_parts("--parts", "parity") == {"kernels": 0, "parity": 2}
    monkeypatch.setattr(command, "described", lambda device: {"machine": {"gpu": "another"}, "versions": {}})
    assert run_parts("--parts", "parity") == {"parity": 3}


def test_mps_is_started_if_it_is_asked_for(run_parts, monkeypatch):
    monkeypatch.setenv(aims.MPS, "")
    run_parts("--parts", "aims")
    assert os.environ[aims.MPS] == ""
    run_parts("--parts", "aims", "--mps", "1")
    assert os.environ[aims.MPS] == "1"


def test_a_damaged_file_is_written_anew(run_parts, tmp_path):
    (tmp_path / "gpu.json").write_text("{")
    assert run_parts("--parts", "parity") == {"parity": 0}


def test_a_file_without_parts_is_added_to(run_parts, tmp_path):
    run_parts("--parts", "parity")
    content = read_json(tmp_path / "gpu.json")
    del content["parts"]
    write_json(tmp_path / "gpu.json", content)
    assert run_parts("--parts", "kernels") == {"kernels": 1}


def test_what_a_part_has_written_does_not_change_the_commit_of_the_next(monkeypatch, tmp_path):
    def git(*given: str) -> str:
        name = ["-c", "user.name=x", "-c", "user.email=x@y"]
        return subprocess.run(["git", *name, *given], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    monkeypatch.setattr(commit, "ROOT", tmp_path)
    monkeypatch.setattr(commit, "PACKED", tmp_path / "commit")
    (tmp_path / "benchmarks").mkdir()
    for name in ("gpu.json", "gpu.md", "results.json", "results.md", "parts.py"):
        (tmp_path / "benchmarks" / name).write_text("1")
    for given in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        git(*given)
    head = git("rev-parse", "--short", "HEAD").strip()
    (tmp_path / "benchmarks/gpu.json").write_text("2")
    (tmp_path / "benchmarks/results.md").write_text("2")
    assert commit.now_and_commit()["commit"] == head
    (tmp_path / "benchmarks/parts.py").write_text("2")
    assert commit.now_and_commit()["commit"] == f"{head}+"
    (tmp_path / "commit").write_text("of a packed tree")
    assert commit.now_and_commit()["commit"] == "of a packed tree"


def test_tests_and_benchmark_take_8_minutes_each():
    of = {part.name: part.seconds for part in PARTS}
    assert of["kernels"] + of["waiting_tests"] + of["parity"] <= 480 >= of["speed"]


# Tests that wait


def test_as_many_tests_at_once_as_a_container_has_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)))
    monkeypatch.setattr(cores, "_quota", lambda: 3.0)
    command = waiting_tests.command(smoke=False)
    assert command[command.index("-n") + 1] == "3"


LINES = """
tests/a/test_x.py::test_one PASSED                       [ 10%]
tests/a/test_x.py::test_two[a b-PASSED] FAILED           [ 20%]
[gw3] [ 30%] PASSED tests/a/test_x.py::test_three
[gw1] [ 40%] FAILED tests/a/test_x.py::test_four[x y]
tests/a/test_x.py::test_five SKIPPED (no GPU)            [ 50%]
[gw0] [ 60%] SKIPPED tests/a/test_x.py::test_six
tests/a/test_x.py::test_seven ERROR                      [ 70%]
[gw2] [ 80%] XFAIL tests/a/test_x.py::test_nine
tests/a/test_x.py::test_ten XPASS (waits for graphs)     [ 90%]
tests/a/test_x.py::test_eight
=================== short test summary info ====================
SKIPPED [2] tests/a/test_x.py:3: no GPU
XFAIL tests/a/test_x.py::test_nine - waits for graphs of two shapes
XPASS tests/a/test_x.py::test_ten - waits for graphs
FAILED tests/a/test_x.py::test_two[a b-PASSED] - assert 1 == 2
FAILED tests/a/test_x.py::test_four[x y] - RuntimeError: CUDA error
ERROR tests/a/test_x.py::test_seven - fixture
=========== 2 failed, 2 passed, 2 skipped, 1 error in 3 s ==========
"""


@pytest.mark.parametrize("stopped", [False, True])
def test_what_pytest_says_is_read_line_by_line(stopped):
    """Also when it is stopped before its summary."""
    outcomes = waiting_tests.Outcomes()
    for line in LINES.partition("====" if stopped else "no such line")[0].splitlines():
        outcomes.read(line)
    result = outcomes.found()
    assert result["counts"] == {
        "passed": 2, "failed": 2, "skipped": 2, "error": 1, "waiting for a mend": 1, "mended": 1,
    }  # fmt: skip
    assert result["failure"] == "3 of 9 tests fail"
    of = ("test_two[a b-PASSED]", "test_four[x y]", "test_seven", "test_nine")
    names = [f"tests/a/test_x.py::{name}" for name in of]
    said = ["assert 1 == 2", "RuntimeError: CUDA error", "fixture", "waits for graphs of two shapes"]
    reasons = [""] * 4 if stopped else said
    assert result["failures"] == dict(zip(names, reasons, strict=True))


def test_every_test_that_waits_for_a_gpu_is_among_them():
    """Those that skip without one, and those of the kernels, which compute there where they can."""
    waiting = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"skipif\(not torch\.cuda|DEVICE = \"cuda\" if", path.read_text(encoding="utf-8"))
    }
    assert waiting <= set(waiting_tests.files()) and len(waiting) >= 2
