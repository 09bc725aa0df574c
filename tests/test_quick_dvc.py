"""DVC with the quicker reader of its lock file: the same answers and the same files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dvc.utils.serialize import dumps_yaml

from stages.quick_dvc import parse_for_update

ROOT = Path(__file__).parents[1]
STUDY = """stages:  # a comment
  first:
    cmd: echo 0123 > one
    outs: [one]
  second:
    cmd: cp one two
    deps: [one]
    outs: [two]
"""


def run(module: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DVC_NO_ANALYTICS": "1"}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("lock", sorted(ROOT.glob("reports/provenance/*/dvc.lock")), ids=lambda path: path.parent.name)
def test_what_is_read_is_written_as_dvc_wrote_it(lock):
    text = lock.read_text(encoding="utf-8")
    assert dumps_yaml(parse_for_update(text, str(lock))) == text


def test_other_files_keep_their_comments():
    assert "# a comment" in dumps_yaml(parse_for_update(STUDY, "dvc.yaml"))


def test_the_same_lock_file_stage_by_stage(tmp_path):
    locks = {}
    for module in ("dvc", "stages.quick_dvc"):
        folder = tmp_path / module
        folder.mkdir()
        (folder / "dvc.yaml").write_text(STUDY)
        for command in (["init", "-q", "--no-scm"], ["repro", "-q", "-s", "first"], ["repro", "-q", "-s", "second"]):
            assert run(module, folder, *command).returncode == 0
        locks[module] = (folder / "dvc.lock").read_text()
    assert locks["stages.quick_dvc"] == locks["dvc"] and "second" in locks["dvc"]


def test_the_quicker_reader_is_in_use(tmp_path):
    """A lock file with a comment loses it: nothing but a stage's entry is kept."""
    (tmp_path / "dvc.yaml").write_text(STUDY)
    for command in (["init", "-q", "--no-scm"], ["repro", "-q", "-s", "first"]):
        assert run("dvc", tmp_path, *command).returncode == 0
    lock = tmp_path / "dvc.lock"
    lock.write_text(f"# a comment\n{lock.read_text()}")
    assert run("stages.quick_dvc", tmp_path, "repro", "-q", "-s", "second").returncode == 0
    assert "# a comment" not in lock.read_text() and "second" in lock.read_text()


def test_a_spoiled_lock_file_is_one_error(tmp_path):
    (tmp_path / "dvc.yaml").write_text(STUDY)
    assert run("dvc", tmp_path, "init", "-q", "--no-scm").returncode == 0
    (tmp_path / "dvc.lock").write_text("stages: [")
    answers = [run(module, tmp_path, "repro", "-s", "first") for module in ("dvc", "stages.quick_dvc")]
    assert [answer.returncode for answer in answers] == [255, 255]
    assert answers[0].stderr == answers[1].stderr and "dvc.lock" in answers[0].stderr
