"""What tests of the queue of a GPU share."""

import sys

import pytest

from benchmarks.gpu.queue import __main__ as command
from benchmarks.gpu.queue import left, pack


@pytest.fixture
def queue(monkeypatch, tmp_path):
    """A function that runs the command with the folder of its items elsewhere, work/gpu-queue below `tmp_path`."""
    for module in (command, left, pack):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "work/gpu-queue")

    def run(*arguments: str) -> None:
        monkeypatch.setattr(sys, "argv", ["queue", *arguments])
        command.main()

    return run
