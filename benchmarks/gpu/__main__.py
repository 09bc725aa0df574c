"""Run every part that waits for an NVIDIA GPU, and write gpu.json and gpu.md.

What gpu.json has of other parts stays in it if the same machine and versions found it.

Exit status: 0, all is well; 1, a part failed, see the results; 2, no GPU is at hand.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

from benchmarks.commit import now_and_commit
from benchmarks.gpu import aims, parts
from benchmarks.gpu.machine import described
from benchmarks.gpu.page import page
from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.records import read_json, write_json

FOLDER = Path(__file__).parents[1]


def main() -> None:
    known = {part.name: part for part in parts.PARTS}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", choices=known, metavar="PART", help=f"of {', '.join(known)}")
    parser.add_argument("--mps", choices=["1"], help="1: processes that share the GPU compute at once, by NVIDIA's MPS")
    parser.add_argument("--out", type=Path, help="folder of the results (default: benchmarks; work/gpu-smoke)")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes on the CPU: whether everything runs")
    args = parser.parse_args()
    device = "cpu" if args.smoke else "cuda"
    if device == "cuda" and (reason := missing()):
        print(reason, file=sys.stderr)
        sys.exit(2)
    if args.mps:
        os.environ[aims.MPS] = args.mps
    out = args.out or (FOLDER.parent / "work" / "gpu-smoke" if args.smoke else FOLDER)
    out.mkdir(parents=True, exist_ok=True)
    found = _begun(out / "gpu.json", {"smoke": args.smoke, **described(device)})
    chosen = args.parts or list(known)
    for name in chosen:
        found["parts"][name] = _run(known[name], device, args.smoke)
        write_json(out / "gpu.json", found)
        with new_file(out / "gpu.md") as handle:
            handle.write(page(found))
    print(f"wrote {out / 'gpu.json'} and {out / 'gpu.md'}")
    sys.exit(any(found["parts"][name]["failure"] for name in chosen))


def _run(part: parts.Part, device: str, smoke: bool) -> dict[str, Any]:
    print(f"{part.title} (at most {part.seconds} s)", flush=True)
    found = now_and_commit() | parts.run(part, device, smoke)
    if failure := found["failure"]:
        print(f"  failed: {failure}", flush=True)
    return found


def _begun(path: Path, of: dict[str, Any]) -> dict[str, Any]:
    """An earlier run's results where it was of the same, to add to; else none."""
    try:
        earlier = read_json(path) if path.exists() else {}
    except InputError:  # damaged
        earlier = {}
    same = earlier.keys() >= of.keys() and all(earlier[name] == value for name, value in of.items())
    return of | {"parts": earlier.get("parts", {}) if same else {}}


def missing() -> str | None:
    """Why there is no GPU to compute on, in a sentence; None: there is one."""
    if torch.cuda.is_available():
        return None
    if torch.version.cuda is None and _driver_sees_one():
        return (
            f"torch {torch.__version__} is built without CUDA: delete .venv and call make setup where pip finds its "
            "build for CUDA, or TORCH=system make setup with a Python that has it"
        )
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    hint = f" (CUDA_VISIBLE_DEVICES is {hidden!r})" if hidden is not None else ""
    return f"no NVIDIA GPU is at hand that torch {torch.__version__} can use{hint}: nothing was run"


def _driver_sees_one() -> bool:
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).stdout.startswith(b"GPU")
    except OSError:
        return False


if __name__ == "__main__":
    main()
