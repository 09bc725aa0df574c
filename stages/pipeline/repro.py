"""`make repro`: the same stages and the same cache as `dvc repro`, with the systems trained side by side."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.main import run
from stages.pipeline.jobs import Cell, first_cells, last_seconds, later_cells, longest_first
from stages.reporting.changes import changes
from stages.settings.schema import Params, check_models, load

DVC = (sys.executable, "-m", "stages.pipeline.dvc")
SHARED = ("binarize", "binarize_opposite", "candidates", "tag")
LOOKS = "smaller"
"""The stage that runs each time, for it looks for a report that may be missing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, help="systems side by side; as many as the cores carry unless given")
    args = parser.parse_args()
    began = time.monotonic()
    params = load()
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # the stages' `python`
    _dvc("repro", "-q", "-s", LOOKS)
    if not _changed():
        print("Everything is up to date.")
    else:
        check_models(params)
        _reproduce(params, args.jobs or _jobs(params))
        _keep_provenance(params.corpus)
    print((Path("reports") / params.corpus / "tables" / "main.md").read_text(encoding="utf-8"))
    print(changes(_metrics(params.corpus)))
    print(f"reports/{params.corpus}/ is complete; {time.monotonic() - began:.0f} s")


def _reproduce(params: Params, jobs: int) -> None:
    """Shared stages, then the cells side by side, the longest first, then the report.

    Raises:
        InputError: a stage failed; what did not depend on it was finished all the same.
    """
    _dvc("repro", "-q", *SHARED)
    needs = sorted(stage for stage in _changed() if stage.startswith("needs"))
    _in_parallel([tuple(needs[k::jobs]) for k in range(jobs)], {}, jobs)
    waits = later_cells(params)
    changed = _changed()
    due = [cell for cell in first_cells(params) if changed & set(cell)]
    due += [cell for cell, bases in waits.items() if changed & set(cell) or any(map(bases.intersection, due))]
    _in_parallel(longest_first(due, waits, last_seconds(_metrics(params.corpus))), waits, jobs)
    _dvc("repro", "-q")


def _in_parallel(cells: Sequence[Cell], waits: Mapping[Cell, Set[str]], jobs: int) -> None:
    """Run cells in their order, `jobs` at a time. A cell that waits does so for stages of cells before it: these have
    begun when its turn comes, so somebody is always at work."""
    running: dict[str, Future[bool]] = {}

    def run_in_turn(cell: Cell) -> bool:
        before = [running[stage] for stage in sorted(waits.get(cell, ())) if stage in running]
        return all([future.result() for future in before]) and _run(cell)

    with ThreadPoolExecutor(jobs) as pool:
        for cell in filter(None, cells):
            running |= dict.fromkeys(cell, pool.submit(run_in_turn, cell))
        failed = [cell[0] for cell in filter(None, cells) if not running[cell[0]].result()]
    if failed:
        raise InputError(f"{', '.join(failed)} failed or could not start; mend the cause, see above, and run again")


def _run(cell: Cell) -> bool:
    """One system from training to its scores; whether it went well.

    Stage by stage: a `repro` that walks up to the shared stages locks them against the cells beside it.
    """
    return subprocess.run([*DVC, "--wait-for-lock", "repro", "-q", "-s", *cell]).returncode == 0


def _changed() -> set[str]:
    """The stages that have something to do, without the one that always has."""
    answer = subprocess.run([*DVC, "status", "--json"], capture_output=True, text=True)
    if answer.returncode != 0:
        raise InputError(f"dvc status failed: {answer.stderr.strip()}")
    return set(json.loads(answer.stdout)) - {LOOKS}


def _dvc(*arguments: str) -> None:
    if subprocess.run([*DVC, *arguments]).returncode != 0:
        raise InputError(f"`dvc {' '.join(arguments)}` failed, see above; mend the cause and run again")


def _jobs(params: Params) -> int:
    """As many systems as their threads find cores."""
    threads = params.corpora[params.corpus].training.threads
    return max(1, len(os.sched_getaffinity(0)) // threads)


def _metrics(corpus: str) -> Path:
    """Of the last report, until it is made anew."""
    return Path("reports") / corpus / "metrics.json"


def _keep_provenance(corpus: str) -> None:
    """params.yaml and dvc.lock as they were for this report: dvc.lock itself follows the corpus selected last."""
    for name in ("params.yaml", "dvc.lock"):
        with new_file(Path("reports") / "provenance" / corpus / name) as handle, open(name, encoding="utf-8") as origin:
            shutil.copyfileobj(origin, handle)


if __name__ == "__main__":
    run(main)
