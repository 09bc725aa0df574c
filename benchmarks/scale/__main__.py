"""Measure the bookkeeping of a study of N runs: python -m benchmarks.scale --runs 1000"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.scale.study import ROOT, write_study
from stages.pipeline.cores import systems_at_once
from stages.pipeline.lock_text import entries

RUN = """
import sys, time
from stages.pipeline import lock, runner
slots, names, runs = int(sys.argv[1]), sys.argv[2].split(), int(sys.argv[3])
began, ended, systems, end = time.monotonic(), [], set(names), runner._Run._end
def seconds(): return time.monotonic() - began, time.process_time()
def begins(_): print('start', *seconds(), flush=True)
def count(self, job, why):
    end(self, job, why)
    if why: sys.exit(f'{job.name} failed: {why}')
    ended.extend(job.labels & systems)
    if len(ended) == runs: raise KeyboardInterrupt
runner._Run._end = count
try:
    with lock.only_run(lock.RUNS, print) as held:
        runner.reproduce(runner.RunRequest(slots, names, [], {}, begins), held)
except KeyboardInterrupt: pass
print('end', *seconds(), flush=True)
"""
"""`make repro` of so many runs, without the checks of the report, which know no artificial study. It says when the
first job begins and when it ends, in seconds of the clock and of the runner's own CPU time."""


class Cost(NamedTuple):
    """Wall seconds, CPU seconds and the peak of resident memory in MB; output: what was printed."""

    seconds: float
    cpu: float
    memory: float
    output: str


STATUS = "from stages.pipeline.graph import Pipeline; Pipeline().status(print)"
"""What `make status` looks at."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[10, 100, 1000], help="systems x seeds")
    parser.add_argument("--jobs", type=int, default=systems_at_once(1), help="side by side")
    parser.add_argument("--some", type=int, default=0, help="make so many of them, and the rest in one go; 0: all")
    args = parser.parse_args()
    for runs in args.runs:
        with tempfile.TemporaryDirectory() as folder:
            _measure(Path(folder) / "study", runs, min(args.some or runs, runs), args.jobs)


def _measure(folder: Path, runs: int, some: int, jobs: int) -> None:
    names = write_study(folder, runs)
    run = [sys.executable, "-c", RUN, str(jobs), " ".join(names)]
    first = cost([*run, str(some)], folder)
    (start, began), (end, ended) = (_seconds(first.output, word) for word in ("start", "end"))
    print(
        f"{runs} runs: {start:.1f} s to the first job (CPU {began:.1f} s); {(end - start) / some:.2f} s a run "
        f"(CPU {(first.cpu - began) / some:.2f} s, of that the runner's own {(ended - began) / some:.2f} s); "
        f"{first.memory:.0f} MB",
        flush=True,
    )
    _say(runs, "the rest in one go", cost([sys.executable, "-m", "benchmarks.scale.finish"], folder))
    _say(runs, "run with nothing to do", cost([*run, "0"], folder))
    _say(runs, "dvc status", cost([sys.executable, "-m", "dvc", "status"], folder))
    _say(runs, "make status", cost([sys.executable, "-c", STATUS], folder))
    lock = (folder / "dvc.lock").read_text(encoding="utf-8")
    made, _ = _files(folder / "work")
    files, stored = _files(folder / ".dvc" / "cache")
    print(
        f"{runs} runs: {len(entries(lock))} stages; dvc.lock {len(lock) / 1e6:.2f} MB, "
        f"{len(lock.splitlines())} lines; {made} files below work; cache {files} files, {stored / 1e6:.1f} MB",
        flush=True,
    )


def _seconds(output: str, word: str) -> tuple[float, float]:
    """Of the clock and of CPU time, from the line that begins with this word."""
    (line,) = [line for line in output.splitlines() if line.startswith(f"{word} ")]
    clock, cpu = line.split()[1:]
    return float(clock), float(cpu)


def cost(command: list[str], folder: Path) -> Cost:
    """Run it in `folder`; its children that it waited for count too."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    path = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment | {"PATH": path}, stdout=output, stderr=output)
        memory = _peak(process)
        seconds = time.monotonic() - began
        output.seek(0)
        text = output.read()
    if process.returncode:
        sys.exit(f"{' '.join(command[:4])} … ended with {process.returncode}:\n{text[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, cpu, memory, text)


def _peak(process: subprocess.Popen) -> float:
    """MB of the process itself; waits for it."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / 1024


def _say(runs: int, what: str, cost: Cost) -> None:
    print(f"{runs} runs: {what}: {cost.seconds:.1f} s, CPU {cost.cpu:.1f} s, {cost.memory:.0f} MB", flush=True)


def _files(folder: Path) -> tuple[int, int]:
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


if __name__ == "__main__":
    main()
