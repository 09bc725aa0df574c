"""The tests that start nothing, and those that do: what `make test` runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.starting import MARKS

TESTS = """
import multiprocessing, os, subprocess, sys
import pytest
from dvc.repo import Repo
from fairseq_plugins import compat
from fairseq.trainer import Trainer

def test_pure(): pass
def test_git(): subprocess.run(["git", "--version"], check=True)
def test_process(): subprocess.run([sys.executable, "-c", ""])
def test_caught():
    try:
        subprocess.run(["true"])
    except Exception:
        pass
def test_fork(): os.fork() or os._exit(0)
def test_spawn(): multiprocessing.get_context("spawn").Process(target=print).start()
def test_kill(): os.kill(os.getpid(), 0)
def test_dvc(): Repo("/")
def test_training(): Trainer.train_step(None, [])

@pytest.fixture
def started(): subprocess.run(["true"])
def test_fixture(started): pass

@pytest.mark.process
def test_marked(): raise AssertionError("ran")
"""


@pytest.mark.process
def test_what_starts_something_waits_with_a_mark_and_is_skipped_without(tmp_path: Path) -> None:
    (tmp_path / "test_any.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.starting", "-p", "no:cacheprovider", "-rA", "--quick"]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    passed = set(re.findall(r"^PASSED \S+::(\w+)", done.stdout, re.MULTILINE))
    assert done.returncode == 0 and passed == {"test_pure", "test_git"}, done.stdout
    assert "8 skipped, 1 deselected" in done.stdout
    assert "sends a signal and has no mark that says so: it waits for `make test-all`" in done.stdout


@pytest.mark.process
def test_everything_runs_where_nothing_is_asked_for(tmp_path: Path) -> None:
    marked = "".join(f"@pytest.mark.{name}\ndef test_{name}(): pass\n" for name in MARKS)
    (tmp_path / "test_any.py").write_text(f"import os, pytest\n{marked}def test_kill(): os.kill(os.getpid(), 0)\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.starting", "-p", "no:cacheprovider", "--strict-markers"]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert f"{len(MARKS) + 1} passed" in done.stdout, done.stdout
