"""The tests with the mark ``gpu``; what they say is read as they run, so that a limit of time loses only the rest.

One that waits for a mend has the mark ``xfail`` with what it waits for, and is no failure.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from benchmarks.gpu.part import Asked, fail, main
from benchmarks.gpu.parts import ROOT
from stages.pipeline.cores import systems_at_once

MARK = "mark.gpu"
IN_SMOKE = "tests/fairseq_plugins/core/test_tree.py"  # a few that need no GPU
NAMES = {
    "PASSED": "passed", "FAILED": "failed", "ERROR": "error", "XFAIL": "waiting for a mend", "XPASS": "mended",
    "SKIPPED": "skipped",
}  # fmt: skip
OUTCOMES = "|".join(NAMES)
OF_ONE = re.compile(rf"(?P<name>tests/.*::.*?) (?P<outcome>{OUTCOMES})(?: \(.*\))?(?: +\[ *\d+%\])?$")
OF_SEVERAL = re.compile(rf"\[gw\d+\] \[ *\d+%\] (?P<outcome>{OUTCOMES}) (?P<name>tests/.*)$")  # pytest-xdist's
REASON = re.compile(r"(?:FAILED|ERROR|XFAIL) (?P<name>tests/\S.*?) - (?P<reason>.*)$")


def files() -> list[str]:
    """Those that have such tests."""
    found = (path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("test_*.py")))
    return [str(path) for path in found if MARK in (ROOT / path).read_text(encoding="utf-8")]


def command(smoke: bool) -> list[str]:
    """Side by side where pytest can do that; each process takes half a GB of the GPU."""
    chosen = [IN_SMOKE] if smoke else ["-m", "gpu", *files()]
    several = ["-n", str(min(8, systems_at_once(1)))] if find_spec("xdist") and not smoke else []
    return [sys.executable, "-m", "pytest", "-v", "-rfEsxX", "--tb=short", "-p", "no:cacheprovider", *several, *chosen]


class Outcomes:
    """Of pytest's lines, one after the other."""

    def __init__(self):
        self.counts = dict.fromkeys(NAMES.values(), 0)
        self.failures: dict[str, str] = {}
        self.summary = False

    def read(self, line: str) -> None:
        line = line.rstrip()
        self.summary = self.summary or "short test summary" in line
        if self.summary and (said := REASON.match(line)):
            self.failures[said["name"]] = said["reason"]
        elif not self.summary and (found := OF_ONE.match(line) or OF_SEVERAL.match(line)):
            self.counts[NAMES[found["outcome"]]] += 1
            if found["outcome"] in ("FAILED", "ERROR", "XFAIL"):
                self.failures.setdefault(found["name"], "")

    def found(self) -> dict[str, Any]:
        wrong = self.counts["failed"] + self.counts["error"]
        failure = f"{wrong} of {sum(self.counts.values())} tests fail" if wrong else None
        return {"counts": self.counts, "failures": self.failures, "failure": failure}


def run(asked: Asked) -> None:
    outcomes = Outcomes()
    lines: list[str] = []
    process = subprocess.Popen(
        command(asked.smoke), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"COLUMNS": "1000"},  # pytest's summary leaves out reasons that do not fit the line
    )  # fmt: skip
    assert process.stdout is not None  # it is a pipe
    for line in process.stdout:
        lines.append(line)
        before = dict(outcomes.counts)
        outcomes.read(line)
        if outcomes.counts != before:
            asked.write(outcomes.found())
    status = process.wait()
    asked.write(outcomes.found())
    if status not in (0, 1) or not sum(outcomes.counts.values()):
        sys.stderr.write("".join(lines[-40:]))
        fail(f"pytest ends with status {status}: {lines[-1].strip() if lines else 'it says nothing'}")


if __name__ == "__main__":
    main(run, __doc__)
