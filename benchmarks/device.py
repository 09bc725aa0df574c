"""What differs between a CPU and a GPU: when work is done, and how much memory it took."""

import ctypes
import gc
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

import torch

CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def chosen() -> torch.device:
    """The first GPU where there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cores() -> int:
    """The CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def now(device: torch.device) -> float:
    """Seconds on a steady clock, once everything that was asked of the device is done."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()


def peak_bytes(device: torch.device, work: Callable[[], None]) -> int | None:
    """By how much ``work`` raised memory at its peak above what was in use before; None where nobody says.

    GPU: torch's allocator. CPU: the resident set, after free blocks of the heap have been handed back (Linux, glibc).
    """
    gc.collect()
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        return torch.cuda.max_memory_allocated(device) - before
    if not (os.access(CLEAR, os.W_OK) and platform.libc_ver()[0] == "glibc"):
        work()
        return None
    ctypes.CDLL(None).malloc_trim(0)
    CLEAR.write_text("5")  # the peak starts anew, see proc(5)
    before = _status("VmRSS")
    work()
    return _status("VmHWM") - before


def _status(key: str) -> int:
    """A line of /proc/self/status in bytes."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(key + ":"))
    return int(line.split()[1]) * 1024
