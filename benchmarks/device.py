"""What differs between a CPU and a GPU: when work is done, and how much memory it took."""

import gc
import itertools
import resource
import time
from collections.abc import Callable

import torch

FEW_PAGES = 4  # Python's own small objects take one now and then


def chosen() -> torch.device:
    """The first GPU where there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def now(device: torch.device) -> float:
    """Seconds on a steady clock, once everything that was asked of the device is done."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()


def pages_supplied() -> int:
    """How many pages of memory, small or huge, the system has supplied to this process when it first touched them."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def peak_bytes(device: torch.device, work: Callable[[], None]) -> int:
    """By how much ``work`` raised what torch has allocated at its peak above what it had before.

    On a CPU by the profiler's events. The resident set would say it too, but only of memory that has been handed back
    to the system before, and a virtual machine takes a quarter of a second for the logits when they are touched again.
    """
    gc.collect()
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        return torch.cuda.max_memory_allocated(device) - before
    with torch.autograd.profiler.profile(profile_memory=True) as profile:
        work()
    events = (event for event in profile.kineto_results.events() if event.name() == "[memory]")
    changes = sorted((event.start_ns(), event.nbytes()) for event in events)
    return max(itertools.accumulate((size for _, size in changes), initial=0))
