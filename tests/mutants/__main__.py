"""Make every deliberate mistake of the catalogue, and list which test notices it; exit 1 if none does."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from . import ask, report
from .catalogue import KERNELS, MUTANTS, STAGES
from .mutant import StaleError
from .run import answers, kernels_unbuildable, passing_unbroken, there_are


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="TEXT",
        help="those whose file and words contain one of these; what the report says of the others stays, "
        "unless the test that noticed one is gone",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=report.OUT, help="the report (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time (default: %(default)s)")
    args = parser.parse_args()
    with TemporaryDirectory() as headers:
        return _make(args.only, args.jobs, args.out, Path(headers))


def _make(only: Sequence[str], jobs: int, out: Path, headers: Path) -> int:
    everything = (*MUTANTS, *STAGES, *KERNELS)
    chosen = [mutant for mutant in everything if any(text in mutant.name for text in only)]
    if not chosen:
        sys.exit(f"no mistake contains {' or '.join(map(repr, only))}")
    known = report.noticed_by()
    gone = {*known.values()} - there_are([*known.values()])
    chosen += [mutant for mutant in everything if mutant not in chosen and known.get(mutant.name) in gone]
    try:
        for mutant in chosen:
            mutant.source()
    except StaleError as error:
        sys.exit(str(error))
    begun = monotonic()
    ask.prepare()
    unbuildable = kernels_unbuildable(headers) if any(mutant.in_kernels for mutant in chosen) else None
    if unbuildable:
        print(f"{unbuildable}; the mistakes in C++ are left out")
        chosen = [mutant for mutant in chosen if not mutant.in_kernels]
    found = {}
    for mutant, answer in answers(chosen, jobs, known, headers):
        found[mutant] = answer
        result = answer.problem or answer.killer or "NOT NOTICED"
        print(f"{len(found):3}/{len(chosen)} {answer.seconds:5.1f} s  {mutant.name}: {result}", flush=True)
    passing = passing_unbroken(sorted({answer.killer for answer in found.values() if answer.killer}), jobs)
    killers = {
        mutant: found[mutant].killer
        for mutant in chosen
        if found[mutant].killer in passing and not found[mutant].problem
    }
    survivors = [mutant for mutant in chosen if mutant not in killers]
    print(f"{len(killers)} of {len(chosen)} noticed, in {monotonic() - begun:.0f} s")
    for mutant in survivors:
        problem, killer = found[mutant].problem, found[mutant].killer
        reason = problem or (f"{killer} does not pass without it either" if killer else "no test fails")
        print(f"  {mutant.name}: {reason}")
    if not survivors:
        by = {mutant: killers.get(mutant, known.get(mutant.name)) for mutant in everything}
        noticed = {mutant: killer for mutant, killer in by.items() if killer}
        tests = {*noticed.values()}
        report.write(noticed, tests - there_are([*tests], "--quick"), out)
        print(f"wrote {out}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
