"""Stages that start with another Python than the environment's, as plain `dvc repro` does where that is not on PATH."""

import subprocess
import sys

import pytest

from tests.helpers.paths import ROOT


@pytest.mark.process
@pytest.mark.parametrize("script", sorted(path.stem for path in (ROOT / "stages").glob("[!_]*.py")))
def test_a_python_without_the_packages_is_named_in_one_sentence_with_the_remedy(script):
    without_packages = [sys.executable, "-S", "-m", f"stages.{script}"]
    ended = subprocess.run(without_packages, cwd=ROOT, env={}, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert ended.stderr.startswith(f"error: {sys.executable} lacks the packages of this project; call `source .venv/")
