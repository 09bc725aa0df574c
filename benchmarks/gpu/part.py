"""What the processes of the parts share: their command line, and results that are written as they come."""

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from benchmarks.device import now
from stages.files.records import write_json


class Asked(NamedTuple):
    """device: where to compute; smoke: at tiny sizes; until: when to be done, of ``time.monotonic``."""

    out: Path
    device: torch.device
    smoke: bool
    until: float

    def write(self, found: dict[str, Any]) -> None:
        write_json(self.out, found)

    def left(self) -> float:
        """Seconds."""
        return self.until - time.monotonic()


def main(run: Callable[[Asked], None], what: str | None) -> None:
    """Parse the command line of a part, and run it."""
    begun = time.monotonic()
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--out", type=Path, required=True, help="JSON")
    parser.add_argument("--device", required=True)
    parser.add_argument("--seconds", type=float, required=True, help="when to be done")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    run(Asked(args.out.resolve(), torch.device(args.device), args.smoke, begun + args.seconds))


def say(what: str) -> None:
    print(f"  {what}", flush=True)


def seconds_of(device: torch.device, work: Callable[[], Any]) -> tuple[float, Any]:
    """How long it takes, and what it returns."""
    start = now(device)
    found = work()
    return now(device) - start, found


def switched_off(reasons: Iterable[str]) -> str | None:
    """A failure: a recording was wrong, or could not be made. reasons: why, each empty where all is well."""
    return next((f"CUDA graphs were switched off: {reason}" for reason in reasons if reason), None)


def fail(sentence: str) -> None:
    print(sentence, file=sys.stderr)
    sys.exit(1)
