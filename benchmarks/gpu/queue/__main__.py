"""Do the next item of benchmarks/gpu/queue/items.yaml, or part of it: run it again and it goes on.

    python -m benchmarks.gpu.queue              what is done, and what comes next
    python -m benchmarks.gpu.queue prepare      where the environment is whole: the text of the next item that trains
    python -m benchmarks.gpu.queue pack         there too: a folder to carry to the GPU
    python -m benchmarks.gpu.queue next         beside the GPU, in this folder, in at most ten minutes
    python -m benchmarks.gpu.queue unpack DIR   back here: the results of `--out`

Results are files as `make release` writes them: scores, counts, translations, curves and records, no weights.

Exit status: 0, all is well; 1, something failed; 2, no GPU is at hand.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.commit import PACKED
from benchmarks.gpu.__main__ import FOLDER as PAGES
from benchmarks.gpu.__main__ import missing
from benchmarks.gpu.parts import PARTS, ROOT
from benchmarks.gpu.prepared import FOLDER
from benchmarks.gpu.queue import side_by_side
from benchmarks.gpu.queue.items import Item, archive, items, set_graphs
from benchmarks.gpu.queue.left import found_of_parts, graphs_fail, left
from benchmarks.gpu.queue.pack import TREE, pack, unpacked
from benchmarks.gpu.queue.prepare import has_text, prepare
from benchmarks.gpu.queue.results import OF_GPU, hand_back, take_back
from benchmarks.gpu.queue.training import COMMIT
from stages.files.errors import InputError
from stages.files.main import run
from stages.pipeline.mps import shared_if_possible
from stages.releasing.results_file import RELEASED
from stages.settings.systems import study_systems

JOBS = 15


def main() -> None:
    args = _arguments()
    if args.do == "unpack":
        take_back(Path(args.items[0]))
        return
    there = items(args.smoke)
    if unknown := [name for name in args.items if name not in there]:
        raise InputError(f"there is no item {', '.join(unknown)} (there are: {', '.join(there)})")
    for name in there:
        unpacked(name)
    still = {name: left(name, item, args.smoke) for name, item in there.items()}
    if args.do == "list":
        _list(there, still)
        return
    names = args.items or _first([name for name in there if still[name]], there, args.do)
    for name in names:
        print(f"{name}: {there[name].why}", flush=True)
    if args.do == "pack":
        pack([name for name in names if has_text(there[name])], args.to, args.mib)
    elif args.do == "prepare":
        for name in names:
            prepare(there[name], FOLDER / name, args.smoke)
    elif not args.smoke and (reason := missing()):
        print(reason, file=sys.stderr)
        sys.exit(2)
    else:
        sys.exit(_next(names[0], there[names[0]], still[names[0]], args))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu.queue", description=__doc__.splitlines()[0])
    parser.add_argument("do", nargs="?", choices=["list", "prepare", "pack", "next", "unpack"], default="list")
    parser.add_argument("items", nargs="*", help="instead of the next one; of `unpack` the folder")
    parser.add_argument("--to", type=Path, default=TREE, help="the folder that `pack` makes (default: %(default)s)")
    parser.add_argument("--mib", type=float, default=64.0, help="that it may have (default: %(default)g)")
    parser.add_argument("--seconds", type=float, default=570.0, help="at most, of `next` (default: %(default)g)")
    parser.add_argument("--jobs", type=int, default=JOBS, help="trainings side by side (default: %(default)s)")
    parser.add_argument("--mps", choices=["1"], help="1: what shares the GPU computes at once, by NVIDIA's MPS")
    parser.add_argument("--out", type=Path, help="a folder for copies of results")
    parser.add_argument("--part-mib", type=float, default=16.0, help="of a file there (default: %(default)g)")
    parser.add_argument("--smoke", action="store_true", help="a tiny item on the CPU: whether everything runs")
    args = parser.parse_intermixed_args()
    if (args.do == "next" and len(args.items) > 1) or (args.do == "unpack" and len(args.items) != 1):
        parser.error(f"{args.do} takes one {'item' if args.do == 'next' else 'folder, that of --out'}")
    return args


def _list(there: Mapping[str, Item], still: Mapping[str, list]) -> None:
    failed = {part for part, one in found_of_parts().items() if one["failure"]}
    for name, item in there.items():
        wrong = [part for part in item.parts if part in failed and part not in still[name]]
        said = f" ({', '.join(wrong)} failed)" if wrong else ""
        print(f"{name}: {len(still[name]) or 'nothing'} left{said}; {item.why}")


def _first(open_: list[str], there: Mapping[str, Item], do: str) -> list[str]:
    """Where it is to run, of those that can; where it is to be made ready, of those that have a text."""
    fits = [name for name in open_ if (has_text(there[name]) if do != "next" else _can_run(name, there[name]))]
    if found := fits[:1] or (open_[:1] if do == "next" else []):
        return found
    print("nothing is left")
    sys.exit()


def _can_run(name: str, item: Item) -> bool:
    """A part makes its text, but not in a packed tree, for a machine that has no corpora."""
    alone = item.parts and not (has_text(item) and PACKED.exists())
    return bool(alone) or (FOLDER / name / COMMIT).exists()


def _next(name: str, item: Item, wanted: list, args: argparse.Namespace) -> bool:
    """Whether something failed."""
    if item.parts:
        return _parts(item, args) != 0
    if not (FOLDER / name / COMMIT).exists():
        raise InputError(f"{FOLDER / name} is not prepared; run `python -m benchmarks.gpu.queue prepare {name}` first")
    return bool(_train(name, wanted, args))


def _parts(item: Item, args: argparse.Namespace) -> int:
    """All of them, within their own limits, which are less than ten minutes together."""
    assert sum(part.seconds for part in PARTS if part.name in item.parts) <= args.seconds
    mps = ["--mps", args.mps] if args.mps else []
    done = subprocess.run([sys.executable, "-m", "benchmarks.gpu", "--parts", *item.parts, *mps], cwd=ROOT)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        for name in OF_GPU:
            shutil.copy2(PAGES / name, args.out)
    return done.returncode


def _train(name: str, wanted: list, args: argparse.Namespace) -> list[str]:
    if args.smoke:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    out = args.out and args.out.resolve()
    with contextlib.chdir(FOLDER / name), shared_if_possible(args.mps == "1"):
        if not args.smoke:
            set_graphs(not graphs_fail())
        study = study_systems()
        failed = side_by_side.run(study, wanted, args.jobs, args.seconds)
        made = [path for one in wanted if (path := archive(study, one)).exists()]
        if out:
            hand_back(sorted(RELEASED.rglob("*.tar.xz")), out, args.part_mib)
    print(f"{name}: {len(made)} of {len(wanted)} are done", flush=True)
    return failed


if __name__ == "__main__":
    run(main)
