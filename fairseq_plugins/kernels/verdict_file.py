"""The verdicts on the kernels in Triton, one file for each device, type of numbers, version and source of them.

It stands beside the kernels in C++, or in the user's cache where that cannot be written. One that cannot be read counts
as none, and where nothing can be written every process checks for itself.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

from fairseq_plugins.kernels import triton_choice
from fairseq_plugins.kernels.comparison import in_words

FOLDER = "attention_kernels"
SOURCES = ("comparison.py", "eager.py", "self_check.py", "triton_*.py")
DRIVER = Path("/proc/driver/nvidia/version")


class Verdict(NamedTuple):
    """On one kernel.

    difference: the largest one from PyTorch's operations, as ``comparison`` measures it; None where it failed.
    error: how it failed, otherwise None.
    """

    difference: float | None
    error: str | None

    def objection(self, allowed: float) -> str | None:
        """What speaks against the kernel; None: nothing."""
        if self.difference is None:
            return f"it fails ({self.error})"
        if not self.difference <= allowed:
            return f"what it gives {in_words(self.difference)}"
        return None


def device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)


def kept(device: torch.device, dtype: torch.dtype) -> dict[str, Verdict]:
    """What is known of each kernel."""
    wanted = _identity(device, dtype)
    for folder in _folders():
        try:
            content = json.loads((folder / _name(wanted)).read_text(encoding="utf-8"))
            if content["of"] == wanted:
                return {name: _verdict(**found) for name, found in content["kernels"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return {}


def keep(device: torch.device, dtype: torch.dtype, verdicts: dict[str, Verdict]) -> None:
    """All but what a full device is to blame for: the next process may find room."""
    known = {name: found for name, found in verdicts.items() if "out of memory" not in (found.error or "")}
    identity = _identity(device, dtype)
    content = {"of": identity, "kernels": {name: found._asdict() for name, found in known.items()}}
    for folder in _folders():
        unfinished = folder / f"{_name(identity)}.{os.getpid()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            unfinished.replace(folder / _name(identity))
            return
        except OSError:
            continue


def _verdict(difference: float | None, error: str | None) -> Verdict:
    """Raises TypeError for what is none."""
    if not isinstance(difference, float) and not (difference is None and isinstance(error, str)):
        raise TypeError(f"no verdict: {difference!r}, {error!r}")
    return Verdict(difference, error)


def _folders() -> Iterator[Path]:
    yield Path(sys.prefix) / FOLDER
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(cache):
        yield Path(cache) / FOLDER


def _name(identity: dict[str, Any]) -> str:
    return f"triton-{hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]}.json"


def _identity(device: torch.device, dtype: torch.dtype) -> dict[str, Any]:
    """Changes with whatever a verdict depends on."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in sorted(path for pattern in SOURCES for path in here.glob(pattern)):
        digest.update(path.read_bytes())
    return {
        "device": device_name(device),
        "capability": list(torch.cuda.get_device_capability(device)) if device.type == "cuda" else None,
        "driver": DRIVER.read_text(encoding="utf-8").splitlines()[0] if DRIVER.exists() else None,
        "torch": torch.__version__,
        "triton": triton_choice.version(),
        "interpreter": os.environ.get("TRITON_INTERPRET") == "1",
        "source": digest.hexdigest()[:16],
        "type": str(dtype),
    }
