"""Measure training, decoding and memory of every system, and write results.json and results.md."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks import device as devices
from benchmarks import parity
from benchmarks.baseline import BASELINES
from benchmarks.report import write_report
from benchmarks.results import Results
from benchmarks.rounds import has_baselines, measure
from benchmarks.sizes import FULL, SMOKE, Size
from benchmarks.systems import System, named
from benchmarks.toolkits.measure import TOOLKITS
from stages.files.errors import InputError
from stages.pipeline.cores import systems_at_once
from stages.training.cpu_settings import save_time

FOLDER = Path(__file__).parent
APART = FOLDER.parent / "work"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--systems", nargs="+", metavar="SYSTEM", help="variants of params.yaml, or fairseq_lstm; all unless given"
    )
    parser.add_argument(
        "--sizes", nargs="+", metavar="SIZE", help=f"of {', '.join(size.name for size in FULL)}; all unless given"
    )
    parser.add_argument("--repeats", type=int, default=1, help="rounds (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=systems_at_once(1), help="CPU threads (default: all cores)")
    parser.add_argument(
        "--out", type=Path, help="folder of the results (default: that of the code; work/bench where systems, sizes or"
        " toolkits are named)",
    )  # fmt: skip
    parser.add_argument(
        "--toolkits", nargs="*", choices=TOOLKITS, help="other toolkits to measure, in environments that pip makes in"
        " work/toolkits (default: all of them, none in the smoke form)",
    )  # fmt: skip
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: whether everything runs, not how fast")
    args = parser.parse_args()
    if min(args.repeats, args.threads) < 1:
        parser.error("--repeats and --threads are 1 or more")
    try:
        toolkits = args.toolkits if args.toolkits is not None else () if args.smoke else tuple(TOOLKITS)
        run(named(args.systems), chosen(args.sizes, args.smoke), args.repeats, args.threads, toolkits, out_of(args))
    except InputError as error:
        sys.exit(str(error))


def out_of(args: argparse.Namespace) -> Path:
    """The committed results give way to a whole run, and to no other that does not ask for it."""
    if args.out is not None:
        return args.out
    if args.smoke:
        return APART / "bench-smoke"
    return FOLDER if args.systems is args.sizes is args.toolkits is None else APART / "bench"


def chosen(names: Sequence[str] | None, smoke: bool) -> list[Size]:
    """Raises InputError for a size that there is not."""
    there = {size.name: size for size in (SMOKE if smoke else FULL)}
    if unknown := sorted(set(names or ()) - set(there)):
        raise InputError(f"no size is called {', '.join(unknown)}; there are: {', '.join(there)}")
    return [size for name, size in there.items() if names is None or name in names]


def run(
    systems: list[System], sizes: list[Size], repeats: int, threads: int, toolkits: Sequence[str], out: Path
) -> None:
    """The whole benchmark; what is finished is written at once."""
    out.mkdir(parents=True, exist_ok=True)
    device, begun = devices.chosen(), time.monotonic()
    torch.set_num_threads(threads)
    save_time()

    def say(what: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {what}", flush=True)

    known = {system.name for system in systems}
    baselines = [
        name for name, of in BASELINES.items() if of in known and any(has_baselines(size, device) for size in sizes)
    ]
    say(f"checking {len(systems)} systems against their reference implementations")
    results = Results(repeats, threads, parity.broken(systems, baselines), toolkits)
    for name, reason in results.dropped.items():
        say(f"left out, {name}: {reason}")

    def finished(what: str) -> None:
        results.write(out / "results.json")
        say(what)

    for size in sizes:
        measure(results, systems, size, device, finished)
        write_report(results.summary(), out / "results.md")
    say(f"wrote {out / 'results.json'} and {out / 'results.md'}")


if __name__ == "__main__":
    main()
