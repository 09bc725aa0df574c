"""Training speed in one process and in fifteen that share the GPU, beside what it is to reach.

With CUDA graphs and TF32, at H = 512, B = 50, S = T = 20. Processes compute at once by MPS if that is asked for.
"""

import contextlib
import os
import subprocess
import sys
from typing import Any, NamedTuple

import torch

from benchmarks.gpu.part import Asked, main, say
from benchmarks.gpu.parts import ROOT
from benchmarks.systems import BASE, FAIRSEQ, TRANSFORMER
from stages.pipeline.mps import shared_if_possible

WINDOW, IN_SMOKE = 8.0, 0.3
"""Seconds of each measurement."""
TIMES = 1.5
AIMED_AT = "H200"
MPS = "BENCHMARK_MPS"
"""Environment variable of this part's process: 1 asks for it."""


class Run(NamedTuple):
    """processes: at once. aim: tokens/s of an H200; None: the system is what the first one is held beside."""

    system: str
    processes: int
    aim: float | None


RUNS = (Run(BASE, 1, 80_000.0), Run(FAIRSEQ, 1, None), Run(TRANSFORMER, 1, None), Run(BASE, 15, 350_000.0))


def run(asked: Asked) -> None:
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    gpu = torch.cuda.get_device_name(asked.device) if asked.device.type == "cuda" else ""
    smoke = [one._replace(processes=min(one.processes, 2)) for one in RUNS if one.aim]
    for one in smoke if asked.smoke else RUNS:
        with shared_if_possible(one.processes > 1 and os.environ.get(MPS) == "1") as mps:
            rates, why = measured(one, asked)
        if why:
            failed.append(f"{one.system} in {one.processes} processes: {why}")
            say(failed[-1])
        else:
            rows.append(one._asdict() | {"mps": mps, "tokens_per_second": sum(rates)})
            say(f"{one.system} in {one.processes}: {sum(rates):,.0f} tokens/s")
        asked.write({"rows": rows, "failure": "; ".join([*failed, *missed(rows, gpu)]) or None})


def missed(rows: list[dict[str, Any]], gpu: str) -> list[str]:
    """Aims that this GPU is held to and does not reach: tokens/s only one of the kind that they were set for."""
    return [
        f"{row['system']} in {row['processes']}: {row['tokens_per_second']:,.0f} tokens/s, {aim_of(row)}"
        for row in rows
        if gpu and (row["aim"] is None or (AIMED_AT in gpu and row["mps"] == (row["processes"] > 1)))
        if (share := reached(row, rows)) is not None and share < 1
    ]


def aim_of(row: dict[str, Any]) -> str:
    if row["aim"] is None:
        return f"{BASE} is to be {TIMES} times as quick"
    return f"at least {row['aim']:,.0f}{' with MPS' if row['processes'] > 1 else ''} on an {AIMED_AT}"


def reached(row: dict[str, Any], rows: list[dict[str, Any]]) -> float | None:
    """The share of its aim; None: what it is to be held beside was not measured."""
    if row["aim"] is not None:
        return row["tokens_per_second"] / row["aim"]
    base = [one["tokens_per_second"] for one in rows if one["system"] == BASE and one["processes"] == 1]
    return base[0] / TIMES / row["tokens_per_second"] if base else None


def measured(one: Run, asked: Asked) -> tuple[list[float], str]:
    """Tokens/s of each process, all in the same seconds; or why not."""
    seconds = IN_SMOKE if asked.smoke else WINDOW
    given = [one.system, str(asked.device), str(seconds), "smoke" if asked.smoke else "full"]
    command = [sys.executable, "-m", "benchmarks.gpu.steady", *given]
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(one.processes)
        ]
        try:
            for process in processes:
                if (said := last_line(process)) != "ready":
                    return [], f"one ended before it was warm: {said or 'it did not say why'}"
            for process in processes:
                assert process.stdin is not None  # it is a pipe
                process.stdin.write("go\n")
                process.stdin.flush()
            return [float(process.communicate()[0].splitlines()[-1]) for process in processes], ""
        except (ValueError, IndexError, BrokenPipeError):
            return [], "one ended without a result"
        finally:
            for process in processes:
                process.kill()


def last_line(process: subprocess.Popen[str]) -> str:
    """Up to `ready`; of one that ends before, why."""
    line = ""
    for line in process.stdout or ():
        if line == "ready\n":
            break
    return line.strip()


if __name__ == "__main__":
    main(run, __doc__)
