"""Asking pytest, in a process of its own that starts with torch and fairseq imported and none of our code."""

import os
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

from .kernel_file import in_kernels
from .mutant import Mutant
from .substitute import substituted

LONG = (
    "fairseq.sequence_generator", "fairseq.tasks.translation",
    "dvc.repo", "fairseq.trainer", "matplotlib.figure", "pandas", "sacrebleu", "scipy.stats",
)  # fmt: skip


class Answer(NamedTuple):
    """killer: id of the first test that failed, None if all passed; problem: why there is no answer, None if there is;
    seconds: how long it took."""

    killer: str | None
    problem: str | None
    seconds: float


class _Recorder:
    """What pytest reports: tests that were chosen, passed or failed, and what kept tests from being collected.

    The test ``likely`` comes before the others, if it is among them.
    """

    def __init__(self, likely: str | None = None):
        self.likely = likely
        self.chosen: list[str] = []
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.broken: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: item.nodeid != self.likely)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.chosen = [item.nodeid for item in session.items]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")


def prepare() -> None:
    """Import, once for all children, what takes long and is not ours."""
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    for name in LONG:
        import_module(name)


def ask(mutant: Mutant, likely: str | None, headers: Path) -> Answer:
    """The first of its tests that notices, of those of `make test` if one of them does.

    Args:
        likely: the one to begin with, if it is among them.
        headers: those of torch, compiled for mistakes in C++.
    """
    recorder, begun = _Recorder(likely), monotonic()
    try:
        with _made(mutant, headers):
            status = _pytest(["-x", "--quick", *shlex.split(mutant.tests)], recorder)
            if not recorder.failed and not recorder.broken:
                status = _pytest(["-x", *shlex.split(mutant.tests)], recorder)
    except RuntimeError as error:
        return Answer(None, str(error), monotonic() - begun)
    problem = None
    if recorder.broken:
        problem = recorder.broken[0]
    elif status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        problem = f"pytest {mutant.tests}: {pytest.ExitCode(status).name.lower().replace('_', ' ')}"
    return Answer(recorder.failed[0] if recorder.failed else None, problem, monotonic() - begun)


def _made(mutant: Mutant, headers: Path) -> AbstractContextManager[None]:
    """While it is open, the mistake is made."""
    if mutant.in_kernels:
        return in_kernels(mutant.path, mutant.source(), headers)
    return substituted(mutant.module, mutant.source())


def collected(options: Sequence[str], tests: Sequence[str]) -> set[str]:
    """Those of ``tests`` that there are, and that pytest chooses with these options."""
    recorder, files = _Recorder(), sorted({test.split("::")[0] for test in tests})
    _pytest(["--collect-only", *options, *(file for file in files if os.path.isfile(file))], recorder)
    return {*tests} & {*recorder.chosen}


def passing(tests: Sequence[str]) -> list[str]:
    """Those of ``tests`` that pass when nothing is broken."""
    recorder = _Recorder()
    _pytest(tests, recorder)
    return recorder.passed


def _pytest(arguments: Sequence[str], recorder: _Recorder) -> int:
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return pytest.main(["-q", "--tb=line", "-p", "no:cacheprovider", *arguments], plugins=[recorder])
