"""Whether processes live, and waiting for what they do."""

import time
from collections.abc import Callable

import psutil

PATIENCE = 60.0
"""Seconds that a test waits for what a loaded machine does late."""


def wait(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Until it holds; fails after that many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def lives(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
