"""Do the next item of benchmarks/gpu/queue/items.yaml, or part of it: run it again and it goes on.

    python -m benchmarks.gpu.queue              what is done, and what comes next
    python -m benchmarks.gpu.queue prepare      where the environment is whole: the text of the next item that trains
    python -m benchmarks.gpu.queue next         beside a GPU, in at most ten minutes

Results are files as `make release` writes them: scores, counts, translations, curves and records, no weights. They
appear in the item's folder below work/gpu-queue, and in `--out`; copied to reports/released, reports take them.

Exit status: 0, all is well; 1, something failed; 2, no GPU is at hand.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.gpu.__main__ import FOLDER as PAGES
from benchmarks.gpu.__main__ import missing
from benchmarks.gpu.parts import PARTS, ROOT
from benchmarks.gpu.prepared import FOLDER
from benchmarks.gpu.queue import side_by_side
from benchmarks.gpu.queue.items import archive, items, set_graphs
from benchmarks.gpu.queue.left import found_of_parts, graphs_fail, left
from benchmarks.gpu.queue.prepare import has_text, prepare
from stages.files.errors import InputError
from stages.files.main import run
from stages.pipeline.mps import shared_if_possible
from stages.releasing.training import Training
from stages.settings.systems import StudySystems, study_systems

JOBS = 15


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu.queue", description=__doc__.splitlines()[0])
    parser.add_argument("do", nargs="?", choices=["list", "prepare", "next"], default="list")
    parser.add_argument("item", nargs="?", help="instead of the next one")
    parser.add_argument("--seconds", type=float, default=570.0, help="at most, of `next`")
    parser.add_argument("--jobs", type=int, default=JOBS, help="trainings side by side")
    parser.add_argument("--mps", choices=["1"], help="1: what shares the GPU computes at once, by NVIDIA's MPS")
    parser.add_argument("--out", type=Path, help="a folder for copies of what is new")
    parser.add_argument("--smoke", action="store_true", help="a tiny item on the CPU: whether everything runs")
    args = parser.parse_args()
    there = items(args.smoke)
    if args.item and args.item not in there:
        raise InputError(f"there is no item {args.item} (there are: {', '.join(there)})")
    still = {name: left(name, item, args.smoke) for name, item in there.items()}
    if args.do == "list":
        failed = {part for part, one in found_of_parts().items() if one["failure"]}
        for name, item in there.items():
            wrong = [part for part in item.parts if part in failed and part not in still[name]]
            said = f" ({', '.join(wrong)} failed)" if wrong else ""
            print(f"{name}: {len(still[name]) or 'nothing'} left{said}; {item.why}")
        return
    open_ = [name for name in there if still[name] and (args.do == "next" or has_text(there[name]))]
    if not open_ and not args.item:
        print("nothing is left")
        return
    name = args.item or open_[0]
    print(f"{name}: {there[name].why}", flush=True)
    if args.do == "prepare":
        prepare(there[name], FOLDER / name, args.smoke)
        return
    if not args.smoke and (reason := missing()):
        print(reason, file=sys.stderr)
        sys.exit(2)
    if parts := there[name].parts:
        sys.exit(_parts([part for part in parts if part in still[name]] or parts, args))
    sys.exit(bool(_train(name, still[name], args)))


def _parts(parts: list[str], args: argparse.Namespace) -> int:
    """Within their own limits, which are less than ten minutes together."""
    assert sum(part.seconds for part in PARTS if part.name in parts) <= args.seconds
    mps = ["--mps", args.mps] if args.mps else []
    done = subprocess.run([sys.executable, "-m", "benchmarks.gpu", "--parts", *parts, *mps], cwd=ROOT)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        for path in (PAGES / "gpu.json", PAGES / "gpu.md"):
            shutil.copy2(path, args.out)
    return done.returncode


def _train(name: str, wanted: list, args: argparse.Namespace) -> list[str]:
    folder = FOLDER / name
    if not (folder / "commit").exists():
        raise InputError(f"{folder} is not prepared; run `python -m benchmarks.gpu.queue prepare {name}` first")
    if args.smoke:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    with contextlib.chdir(folder), shared_if_possible(args.mps == "1"):
        if not args.smoke:
            set_graphs(not graphs_fail())
        study = study_systems()
        failed = side_by_side.run(study, wanted, args.jobs, args.seconds)
        made = list(_made(study, wanted))
        for path in made if args.out else ():
            (args.out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, args.out / path)
    print(f"{name}: {len(made)} of {len(wanted)} are done", flush=True)
    return failed


def _made(study: StudySystems, wanted: list[Training]) -> Iterator[Path]:
    yield from (path for one in wanted if (path := archive(study, one)).exists())


if __name__ == "__main__":
    run(main)
