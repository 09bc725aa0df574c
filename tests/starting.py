"""Marks of tests that start something. `make test` leaves these out, `make test-all` runs them too.

While they are left out, a test that starts something and has no mark for it is skipped, and says so.
"""

import os
import sys
from multiprocessing.popen_spawn_posix import Popen
from typing import Any

import pytest

MARKS = {
    "training": "trains a system, however small",
    "dvc": "works on a repository of DVC",
    "browser": "opens a page in Chromium",
    "slurm": "queues jobs in a Slurm of its own",
    "process": "starts other processes, or kills some",
    "slow": "computes for several seconds",
}
AT_ONCE = {"git", "ldconfig", "cc", "c++", "gcc", "g++"}
"""Programs that end at once, and those that build the kernels when they are first used."""


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}; waits for `make test-all`")
    if config.getoption("quick"):
        asked = f" and ({given})" if (given := config.option.markexpr) else ""
        config.option.markexpr = f"not ({' or '.join(MARKS)}){asked}"
        hands_out = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
        if not hands_out:  # what runs no tests imports none of what they need
            config.pluginmanager.register(_Guard())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that start nothing and take a moment")


class _Guard:
    def __init__(self) -> None:
        self.watches = False
        sys.addaudithook(self.hear)
        from dvc.repo import Repo

        from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

        from fairseq.trainer import Trainer

        Trainer.train_step = self.noticed(Trainer.train_step, "trains")
        Repo.__init__ = self.noticed(Repo.__init__, "works on a repository of DVC")
        Popen.__init__ = self.noticed(Popen.__init__, "starts a process")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self):
        self.watches = True
        try:
            return (yield)
        finally:
            self.watches = False

    def hear(self, event: str, arguments: tuple) -> None:
        if event == "subprocess.Popen" and os.path.basename(os.fsdecode(arguments[0])) not in AT_ONCE:
            self.refuse(f"starts {os.fsdecode(arguments[0])}")
        elif event in ("os.fork", "os.forkpty", "os.posix_spawn"):
            self.refuse("starts a process")
        elif event in ("os.kill", "os.killpg"):
            self.refuse("sends a signal")

    def noticed(self, function, what: str):
        def watched(*arguments: Any, **options: Any) -> Any:
            self.refuse(what)
            return function(*arguments, **options)

        return watched

    def refuse(self, what: str) -> None:
        if self.watches:
            pytest.skip(f"{what} and has no mark that says so: it waits for `make test-all`, see docs/testing.md")
