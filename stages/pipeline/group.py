"""The processes of a process group."""

import os
from collections.abc import Iterator

import psutil


def members(group: int) -> Iterator[int]:
    """Those that have not ended."""
    return (pid for pid in psutil.pids() if _is_of(pid, group))


def _is_of(pid: int, group: int) -> bool:
    try:
        return os.getpgid(pid) == group and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except (OSError, psutil.Error):  # it has just ended
        return False
