"""Asking pytest, in a process of its own that starts with torch and fairseq imported and none of our code."""

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from time import monotonic
from typing import NamedTuple

import pytest

from .mutant import Mutant
from .substitute import substituted

CODE = ("fairseq_plugins.core", "fairseq_plugins.mechanisms", "fairseq_plugins.terms", "fairseq_plugins.models")
CODE += ("fairseq_plugins.criterions", "stages.training.transfer")


class Answer(NamedTuple):
    """killer: id of the first test that failed, None if all passed; problem: why there is no answer, None if there is;
    seconds: how long it took."""

    killer: str | None
    problem: str | None
    seconds: float


class _Recorder:
    """What pytest reports of failures: those of tests, and those that kept tests from being collected."""

    def __init__(self):
        self.failed: list[str] = []
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}")


def prepare() -> None:
    """Import, once for all children, what takes long.

    Raises:
        RuntimeError: code that is to be broken has been imported with it.
    """
    import numpy  # noqa: F401

    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    import fairseq.sequence_generator
    import fairseq.tasks.translation  # noqa: F401

    if early := sorted(name for name in sys.modules if name.startswith(CODE)):
        raise RuntimeError(f"imported before the mistake could be made: {', '.join(early)}")


def ask(mutant: Mutant) -> Answer:
    """The first of its tests that notices."""
    recorder, begun = _Recorder(), monotonic()
    try:
        with substituted(mutant.module, mutant.source()):
            status = _pytest(["-x", *shlex.split(mutant.tests)], recorder)
    except RuntimeError as error:
        return Answer(None, str(error), monotonic() - begun)
    problem = None
    if recorder.broken:
        problem = recorder.broken[0]
    elif status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        problem = f"pytest {mutant.tests}: {pytest.ExitCode(status).name.lower().replace('_', ' ')}"
    return Answer(recorder.failed[0] if recorder.failed else None, problem, monotonic() - begun)


def failures(tests: Sequence[str]) -> list[str]:
    """Those of ``tests`` that fail although nothing is broken."""
    recorder = _Recorder()
    _pytest(tests, recorder)
    return recorder.failed + recorder.broken


def _pytest(arguments: Sequence[str], recorder: _Recorder) -> int:
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return pytest.main(["-q", "--tb=line", "-p", "no:cacheprovider", *arguments], plugins=[recorder])
