"""The parts of `make gpu`: each a process of its own with its own limit of time; one that fails costs itself alone."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.records import read_json

ROOT = Path(__file__).parents[2]


class Part(NamedTuple):
    """``python -m benchmarks.gpu.<name>``; seconds: after which it is stopped, what it has found being kept."""

    name: str
    title: str
    seconds: int


PARTS = (
    Part("kernels", "Triton kernels prove themselves", 80),
    Part("waiting_tests", "Tests that wait for a GPU", 260),
    Part("parity", "Parity with the CPU", 140),
    Part("aims", "Speed of one process and of fifteen", 180),
    Part("speed", "Speed of every system", 480),
    Part("training", "A short training", 420),
)
"""The first three, which are tests, take 8 minutes at most, and so does the benchmark."""


def run(part: Part, device: str, smoke: bool) -> dict[str, Any]:
    """What the part has found, how long it took, and why it failed (None: it did not)."""
    with tempfile.TemporaryDirectory(prefix=f"gpu-{part.name}-") as folder:
        out, errors = Path(folder) / "found.json", Path(folder) / "errors"
        begun = time.monotonic()
        with errors.open("w") as handle:
            status = _run(command(part, out, device, smoke), _environment(device), handle, part.seconds)
        said = errors.read_text(encoding="utf-8", errors="replace")
        if status != 0:
            sys.stderr.write(said)
        found = _found(out)
    took = time.monotonic() - begun
    return {"seconds": took, "limit": part.seconds, "failure": _failure(part, status, said, found), "found": found}


def command(part: Part, out: Path, device: str, smoke: bool) -> list[str]:
    """Its process; it is to be done a little before it is stopped."""
    asked = ["--out", str(out), "--device", device, "--seconds", str(max(part.seconds - 10, part.seconds / 2))]
    return [sys.executable, "-m", f"benchmarks.gpu.{part.name}", *asked, *(["--smoke"] if smoke else [])]


def _run(command: list[str], environment: dict[str, str], errors, seconds: float) -> int | None:
    """Its exit status; None: stopped, with all that it had started."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=errors, start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what it left too
        process.wait()


def _environment(device: str) -> dict[str, str]:
    """Tests look for a GPU only where one is named."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0") if device == "cuda" else ""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"CUDA_VISIBLE_DEVICES": visible, "PYTHONPATH": os.pathsep.join(paths)}


def _found(out: Path) -> Any:
    try:
        return read_json(out) if out.exists() else None
    except InputError:
        return None


def _failure(part: Part, status: int | None, said: str, found: Any) -> str | None:
    last = next((line.strip() for line in reversed(said.splitlines()) if line.strip()), "it said nothing")
    if status is None:
        return f"stopped after its {part.seconds} seconds"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}: {last}"
    if status or found is None:
        return last
    return found.get("failure")
