"""Other toolkits beside ours: environments, what is asked of them, and what is read from what they print."""

import subprocess
import sys

import pytest

from benchmarks.report import toolkits_table
from benchmarks.sizes import SMOKE
from benchmarks.spread import NONE
from benchmarks.systems import BASE
from benchmarks.toolkits import eole_commands, measure
from benchmarks.toolkits.environment import ToolkitError, environment, run

SIZE = SMOKE[0]
ASKED = SIZE._asdict() | {"threads": 1, "steps": 2, "beam": 10, "dropout": 0.2, "smoothing": 0.1, "clip_norm": 1.0}
LOG = """[INFO] Step  2/    6; acc: 4.1; lr: 1.00e-03; sents:     240; bsz: 1800/1800/120; 253/251 tok/s;     36 sec;
[INFO] Step  4/    6; acc: 6.7; lr: 1.00e-03; sents:     240; bsz: 1800/1800/120; 347/6 tok/s;     61 sec;
[INFO] Step  6/    6; acc: 6.7; lr: 1.00e-03; sents:     240; bsz: 1800/1800/120; 452/4 tok/s;     81 sec;
"""


@pytest.mark.process
def test_an_environment_is_made_once_and_sees_the_study_s_packages(tmp_path):
    python = environment("a", ("pip",), tmp_path)
    stamp = (tmp_path / "a" / "installed").stat().st_mtime_ns
    place = "import torch; print(torch.__file__)"
    assert run([str(python), "-c", place], "a") == run([sys.executable, "-c", place], "b")
    assert environment("a", ("pip",), tmp_path) == python and (tmp_path / "a" / "installed").stat().st_mtime_ns == stamp


@pytest.mark.process
def test_what_pip_cannot_install_is_named_with_its_error(tmp_path):
    with pytest.raises(ToolkitError, match=r"^a: pip failed: .*nowhere"):
        environment("a", (str(tmp_path / "nowhere"),), tmp_path)
    assert not (tmp_path / "a" / "installed").exists()


@pytest.mark.process
def test_a_command_that_fails_says_its_last_line():
    with pytest.raises(ToolkitError, match=r"^it: ValueError: bad$"):
        run([sys.executable, "-c", "print(1); raise ValueError('bad')"], "it")
    with pytest.raises(ToolkitError, match=r"^it: longer than 0 s$"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], "it", seconds=0.1)
    with pytest.raises(ToolkitError, match=r"^it: .*no such program"):
        run(["/no such program"], "it")


def test_a_toolkit_that_fails_is_in_the_results(monkeypatch, tmp_path):
    def fail(*_):
        raise ToolkitError("no")

    monkeypatch.setattr(measure, "environment", fail)
    visits = [measure.visit("eole", SIZE, 1, 2)]
    assert visits == [{"failed": "no"}]
    row = measure.summary("eole", SIZE, visits)
    assert (row["tokens_per_second"], row["sentences_per_second"], row["failed"]) == (None, None, "no")


def test_speeds_beside_ours():
    visits = [{"steps": [2.0, 4.0], "decoding": 1.0}, {"steps": [8.0], "decoding": 4.0}, {"failed": "no"}]
    row = measure.summary("joeynmt", SIZE, visits)  # 12 tokens a step, 2 sentences
    assert row["tokens_per_second"] == {"median": 3.0, "min": 1.5, "max": 6.0}
    assert row["sentences_per_second"] == {"median": 1.25, "min": 0.5, "max": 2.0}
    base = {"tokens_per_second": {"median": 6.0}, "sentences_per_second": {"median": 5.0}}
    content = {"toolkits": {"joeynmt": row}, "sizes": {SIZE.name: {"systems": {BASE: base}}}}
    line = toolkits_table(content).splitlines()[-1]
    assert line.startswith("| `joeynmt` | 3.0 (1.5–6.0) | 2.00 | 1.2 (0.5–2.0) | 4.00 | JoeyNMT")
    assert line.endswith("; failed: no |")
    without = {"toolkits": {"joeynmt": row}, "sizes": {SIZE.name: {"systems": {}}}}
    assert toolkits_table(without).splitlines()[-1].startswith(f"| `joeynmt` | 3.0 (1.5–6.0) | {NONE} |")
    assert toolkits_table({"toolkits": {}}) == ""


def test_what_eole_reports_is_read():
    found = eole_commands._found(LOG, "Subsequent prediction time including all (s): 1.57", ASKED)
    assert found == {"steps": [2.0, 3.0], "decoding": 1.57}  # of 12 tokens; without the first report
    with pytest.raises(ToolkitError, match="nothing of its speed"):
        eole_commands._found("", "", ASKED)


def test_the_text_for_eole_has_every_word_and_equal_lengths(tmp_path):
    eole_commands._write_text(tmp_path, ASKED)
    for name, length in (("source", SIZE.S), ("target", SIZE.T - 1)):
        lines = (tmp_path / name).read_text().splitlines()
        assert {len(line.split()) for line in lines} == {length} and len(lines) >= SIZE.B * 6
        assert len({word for line in lines for word in line.split()}) == SIZE.V - 4
    assert len((tmp_path / "few").read_text().splitlines()) == SIZE.decoded


@pytest.mark.parametrize("name", measure.TOOLKITS)
def test_an_installed_toolkit_runs(name):
    """Where `make bench` has installed it; pip and the network are no part of the tests."""
    if not (measure.FOLDER / name / "installed").exists():
        pytest.skip(f"{name} is not installed: `make bench` does that")
    found = measure.visit(name, SIZE._replace(V=100), 1, 2)
    assert "failed" not in found and len(found["steps"]) == 2 and found["decoding"] > 0


@pytest.mark.process
def test_the_command_knows_the_toolkits():
    command = [sys.executable, "-m", "benchmarks", "--smoke", "--toolkits", "marian"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and all(name in done.stderr for name in measure.TOOLKITS)
