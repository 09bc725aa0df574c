"""The artificial study of the bookkeeping."""

import sys

import pytest
import yaml

from benchmarks.scale.__main__ import RUN, cost
from benchmarks.scale.study import write_study

ENDS = """
from types import SimpleNamespace
RunRequest = lambda *of: of
class _Run:
    def _end(self, job, why): print(job.name, why)
def reproduce(request, held):
    _Run()._end(SimpleNamespace(name='a, seed 1', labels={'a'}), WHY)
"""


@pytest.fixture
def runner(tmp_path):
    """A function that measures a runner whose only job ends so."""
    package = tmp_path / "stages/pipeline"
    package.mkdir(parents=True)
    for path in (package.parent / "__init__.py", package / "__init__.py"):
        path.write_text("")
    (package / "lock.py").write_text(
        "from contextlib import nullcontext\nRUNS, only_run = 0, lambda *of: nullcontext()\n"
    )

    def run(why: str) -> str:
        (package / "runner.py").write_text(ENDS.replace("WHY", repr(why)))
        return cost([sys.executable, "-c", RUN, "1", "a", "1"], tmp_path).output

    return run


@pytest.mark.process
def test_a_job_that_fails_is_no_run(runner):
    assert "end " in runner("")
    with pytest.raises(SystemExit, match="a, seed 1 failed: exit status 3"):
        runner("exit status 3")


def test_the_study_has_what_its_first_stage_reads(tmp_path):
    write_study(tmp_path / "study", 1)
    stages = yaml.safe_load((tmp_path / "study/dvc.yaml").read_text())["stages"]
    assert [path for path in stages["check"]["deps"] if not (tmp_path / "study" / path).exists()] == []
