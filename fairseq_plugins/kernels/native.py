"""The kernels in C++, for CPUs: built once for this machine, and found again.

``make setup`` builds them (``python -m fairseq_plugins.kernels``); a process that finds none builds them itself, and
where that cannot be done the kernels of PyTorch's own operations do the same work more slowly. The environment variable
``ATTENTION_KERNELS`` can ask for ``eager`` or insist on ``native``.
"""

import fcntl
import hashlib
import os
import platform
import shlex
import subprocess
import sys
import sysconfig
import warnings
from functools import cache
from pathlib import Path

import torch

SOURCES = Path(__file__).with_name("cpp")
FLAGS = (
    "-std=c++20", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared",
    # Vectors as wide as they come, and loops over exp and tanh that may become vectors at all.
    "-mprefer-vector-width=512", "-fno-math-errno", "-fno-trapping-math",
)  # fmt: skip
CHOICE = "ATTENTION_KERNELS"


class BuildError(Exception):
    """The kernels cannot be built here; says why, and what to do."""


@cache
def operations():
    """The kernels as operations of torch, or None where PyTorch's own have to do.

    Raises:
        BuildError: there is no way to have them, and the environment insists.
        ValueError: the environment asks for something else.
    """
    wanted = os.environ.get(CHOICE, "")
    if wanted not in ("", "eager", "native"):
        raise ValueError(f"{CHOICE} is {wanted!r}; it can be eager or native, or nothing at all")
    if wanted == "eager":
        return None
    try:
        _load(built())
    except BuildError as error:
        if wanted == "native":
            raise
        warnings.warn(f"{error}; going on with PyTorch's own operations, which are slower", stacklevel=2)
        return None
    return torch.ops.attention_kernels


def _load(library: Path) -> None:
    try:
        torch.ops.load_library(library)
    except OSError as error:
        raise BuildError(f"the kernels cannot be loaded: {error}; remove {library}") from None


def built() -> Path:
    """The library for this machine and this source, built first if need be.

    Raises:
        BuildError: it cannot be built.
    """
    folder, identity = Path(sys.prefix) / "attention_kernels", _identity()
    try:
        if library := _sound(folder, identity):
            return library
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes one builds, the others wait for it
            if library := _sound(folder, identity):
                return library
            for damaged in folder.glob(f"{identity}-*.so"):
                print(f"{damaged} is damaged: removed it", file=sys.stderr, flush=True)
                damaged.unlink()
            print("building the kernels for this machine, once (about half a minute)", file=sys.stderr, flush=True)
            return build(folder, identity)
    except OSError as error:
        raise BuildError(f"the kernels cannot be kept in {folder}: {error.strerror}") from None


def _sound(folder: Path, identity: str) -> Path | None:
    """A library that is what was built: half a file would end this process without a word (SIGBUS), another may do
    anything."""
    return next((path for path in folder.glob(f"{identity}-*.so") if path.stem == f"{identity}-{_sum(path)}"), None)


def _sum(library: Path) -> str:
    return hashlib.sha256(library.read_bytes()).hexdigest()[:16]


def compiler() -> list[str]:
    """The command that compiles C++ for this machine against torch."""
    include = Path(torch.__file__).with_name("include")
    chosen = shlex.split(os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++")
    return [*chosen, *FLAGS, *(f"-isystem{folder}" for folder in (include, include / "torch/csrc/api/include"))]


def build(folder: Path, identity: str) -> Path:
    """The library of what stands in ``SOURCES``, made; its name says what it holds.

    Raises:
        BuildError: the compiler cannot.
    """
    unfinished = folder / f"{identity}.{os.getpid()}"
    command = [
        *compiler(), f"-I{SOURCES}", "-xc++", "-", "-o", str(unfinished),
        f"-L{Path(torch.__file__).with_name('lib')}", "-ltorch_cpu", "-lc10",
    ]  # fmt: skip
    unit = "".join(f'#include "{path.name}"\n' for path in _files() if path.suffix == ".cpp")  # headers cost the most
    try:
        subprocess.run(command, input=unit, text=True, check=True, capture_output=True)
    except OSError as error:
        raise BuildError(f"the kernels cannot be built: {command[0]}: {error.strerror}; install g++") from None
    except subprocess.CalledProcessError as error:
        first = next((line for line in error.stderr.splitlines() if "error" in line), error.stderr.strip())
        raise BuildError(f"the kernels cannot be built: {first}") from None
    else:
        return unfinished.rename(folder / f"{identity}-{_sum(unfinished)}.so")
    finally:
        unfinished.unlink(missing_ok=True)  # whatever a compiler that failed has left


def _files() -> list[Path]:
    return sorted(path for path in SOURCES.iterdir() if path.suffix in (".cpp", ".h"))


def _identity() -> str:
    """Changes with whatever the library depends on: its source, how it is built, torch, and the processor."""
    parts = [*FLAGS, torch.__version__, platform.machine(), _processor()]
    digest = hashlib.sha256("\n".join(parts).encode())
    for path in _files():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """What kinds of instruction there are."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line for line in lines if line.startswith("flags")), "")
