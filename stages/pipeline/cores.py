"""How many systems this machine trains side by side."""

import os
from pathlib import Path

CGROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def systems_at_once(threads: int) -> int:
    """As many as their threads find cores; at least one."""
    return max(1, int(min(len(os.sched_getaffinity(0)), _quota())) // threads)


def _quota() -> float:
    """Cores whose time a container or a service may use (`docker --cpus=2`); infinite without a limit."""
    try:
        group = CGROUPS / OWN.read_text().rpartition("0::/")[2].strip()
        share, period = (group / "cpu.max").read_text().split()
        return float(share) / float(period)
    except (OSError, ValueError):
        return float("inf")
