"""What continuous integration says at its end, of a make that runs no tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

MAKE = """#!/bin/sh
case $1 in
test-all) echo "SKIPPED [2] tests/a.py:7: needs a GPU"; echo "SKIPPED [11] tests/b.py: needs [a] mount: now" ;;
test-slurm) echo "SKIPPED [3] tests/slurm/conftest.py:51: needs root"; echo "SKIPPED [1] tests/c.py:8: needs a GPU" ;;
esac
[ $1 != "$FAILS" ]
"""


@pytest.mark.process
@pytest.mark.parametrize("fails", ["", "test-all", "test-slurm"])
def test_what_was_skipped_stands_at_the_end_with_its_reason(tmp_path: Path, fails: str) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    for name, script in {"make": MAKE, "chromedriver": "", "slurmctld": ""}.items():
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "FAILS": fails}
    done = subprocess.run([tmp_path / ".ci/run"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1 if fails else 0, "")
    said = done.stdout.splitlines()
    assert said[-4:] == ["skipped, and why:", "   11  needs [a] mount: now", "    3  needs root", "    3  needs a GPU"]
