"""Where and when `make gpu` was run, and when `make bench`."""

from datetime import UTC, datetime
from importlib.metadata import version
from platform import python_version
from typing import Any

import torch

from benchmarks.gpu.parts import ROOT
from fairseq_plugins.kernels import triton_choice
from fairseq_plugins.kernels.verdict_file import DRIVER
from stages.files.errors import InputError
from stages.files.git import git
from stages.training.run import machine

WRITTEN = tuple(f":!benchmarks/{name}" for name in ("gpu.json", "gpu.md", "results.json", "results.md"))
PACKED = ROOT / "commit"
"""In a tree that `queue pack` has made, which is no repository: the commit that it is of."""
PACKAGES = ("fairseq", "numpy")


def now_and_commit() -> dict[str, str | None]:
    """The date, and the commit that is checked out, `+` for changes beside it, which results are none of;
    None where there is no git."""
    commit: str | None
    try:
        changed = git("diff", "--name-only", "HEAD", "--", ".", *WRITTEN, folder=ROOT)
        commit = git("rev-parse", "--short", "HEAD", folder=ROOT) + ("+" if changed else "")
    except InputError:
        commit = None
    if PACKED.exists():
        commit = PACKED.read_text(encoding="utf-8") or None
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit}


def described(device: str) -> dict[str, Any]:
    """The machine and the versions of what computed."""
    found = machine(torch.get_num_threads())
    versions = {"python": python_version(), "torch": torch.__version__, "cuda": torch.version.cuda}
    versions |= {name: version(name) for name in PACKAGES}
    versions |= {"triton": triton_choice.version() if triton_choice.operations() is not None else None}
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        found |= {"gpu_bytes": properties.total_memory, "capability": f"{properties.major}.{properties.minor}"}
        found |= {"driver": DRIVER.read_text(encoding="utf-8").splitlines()[0] if DRIVER.exists() else None}
    return {"machine": found, "versions": versions}
