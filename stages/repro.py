"""`make repro`: the same stages and the same cache as `dvc repro`, with the systems trained side by side."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stages.errors import InputError
from stages.main import run
from stages.schema import Params, check_models, load
from stages.textio import new_file

DVC = (sys.executable, "-m", "dvc")
SHARED = ("binarize", "binarize_opposite", "candidates", "tag")

Cell = tuple[str, ...]
"""Stages to run one after the other, as DVC addresses them: most often those of one system with one seed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, help="systems side by side; as many as the cores carry unless given")
    args = parser.parse_args()
    began = time.monotonic()
    params = load()
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # the stages' `python`
    if not _changed():
        print("Everything is up to date.")
    else:
        check_models(params)
        _reproduce(params, args.jobs or _jobs(params))
        _keep_provenance(params.corpus)
    print((Path("reports") / params.corpus / "tables" / "main.md").read_text(encoding="utf-8"))
    print(f"reports/{params.corpus}/ is complete; {time.monotonic() - began:.0f} s")


def _reproduce(params: Params, jobs: int) -> None:
    """Shared stages, then the cells side by side, those that start from others' models last, then the report.

    Raises:
        InputError: a stage failed; what did not depend on it was finished all the same.
    """
    _dvc("repro", "-q", *SHARED)
    needs = sorted(stage for stage in _changed() if stage.startswith("needs"))
    lists = [tuple(needs[k::jobs]) for k in range(jobs)]
    for cells in (lists, first_cells(params), later_cells(params)):
        changed = _changed()
        due = [cell for cell in cells if changed & set(cell)]
        with ThreadPoolExecutor(jobs) as pool:
            failed = [cell for cell, good in zip(due, pool.map(_run, due), strict=True) if not good]
        if failed:
            raise InputError(f"{', '.join(cell[0] for cell in failed)} failed, see above; mend the cause and run again")
    _dvc("repro", "-q")


def first_cells(params: Params) -> list[Cell]:
    """The cells of the rows that need only the data, and their trainings in the opposite direction."""
    stages = ("train", "evaluate", "score")
    cells = [_cell(*stages, row=row, seed=seed) for seed in params.seeds for row in params.variants]
    return cells + [_cell("train_opposite", row=row, seed=seed) for seed in params.seeds for row in params.opposite]


def later_cells(params: Params) -> list[Cell]:
    """The cells of the rows that start from another row's model."""
    return [
        _cell(f"continue_{start}", "evaluate_continued", "score_continued", row=row, seed=seed)
        for seed in params.seeds
        for start, rows in params.starts.items()
        for row in rows
    ]


def _cell(*stages: str, row: str, seed: int) -> Cell:
    return tuple(f"{stage}@{row}-{seed}" for stage in stages)


def _run(cell: Cell) -> bool:
    """One system from training to its scores; whether it went well.

    Stage by stage: a `repro` that walks up to the shared stages locks them against the cells beside it.
    """
    return subprocess.run([*DVC, "--wait-for-lock", "repro", "-q", "-s", *cell]).returncode == 0


def _changed() -> set[str]:
    """The stages that have something to do."""
    answer = subprocess.run([*DVC, "status", "--json"], capture_output=True, text=True)
    if answer.returncode != 0:
        raise InputError(f"dvc status failed: {answer.stderr.strip()}")
    return set(json.loads(answer.stdout))


def _dvc(*arguments: str) -> None:
    if subprocess.run([*DVC, *arguments]).returncode != 0:
        raise InputError(f"`dvc {' '.join(arguments)}` failed, see above; mend the cause and run again")


def _jobs(params: Params) -> int:
    """As many systems as their threads find cores."""
    threads = params.corpora[params.corpus].training.threads
    return max(1, len(os.sched_getaffinity(0)) // threads)


def _keep_provenance(corpus: str) -> None:
    """params.yaml and dvc.lock as they were for this report: dvc.lock itself follows the corpus selected last."""
    for name in ("params.yaml", "dvc.lock"):
        with new_file(Path("reports") / "provenance" / corpus / name) as handle, open(name, encoding="utf-8") as origin:
            shutil.copyfileobj(origin, handle)


if __name__ == "__main__":
    run(main)
