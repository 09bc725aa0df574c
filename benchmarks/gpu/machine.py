"""Where `make gpu` was run."""

from importlib.metadata import version
from platform import python_version
from typing import Any

import torch

from fairseq_plugins.kernels import triton_choice
from fairseq_plugins.kernels.verdict_file import DRIVER
from stages.training.run import machine

PACKAGES = ("fairseq", "numpy")


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
