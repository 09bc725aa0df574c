"""Are the tests green that hold a system to its reference implementation? Only then are its figures reported."""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections.abc import Iterable
from pathlib import Path

from benchmarks.systems import System
from stages.files.errors import InputError

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/fairseq_plugins/models/test_parity.py::test_equals_the_reference_implementation",
    "tests/fairseq_plugins/models/test_parity.py::test_losses_equal_the_reference_implementation",
    "tests/fairseq_plugins/models/test_parity.py::test_gradients_equal_the_reference_implementation",
)
BASELINE_TEST = "tests/benchmarks/test_baseline.py::test_an_unoptimised_baseline_equals_the_reference_implementation"
ERROR = re.compile(r"E(?:RROR:)?\s+(.*)")


def broken(systems: Iterable[System], baselines: Iterable[str]) -> dict[str, str]:
    """Name of a system or baseline -> why its figures must not be reported. Transformers have no such tests.

    Raises:
        InputError: the tests could not be run.
    """
    wanted = {f"{test}[{system.name}]": system.name for system in systems if system.is_recurrent for test in TESTS}
    wanted |= {f"{BASELINE_TEST}[{name}]": name for name in baselines}
    if not wanted:
        return {}
    passed, output = _passed(list(wanted))
    found: dict[str, str] = {}
    for test, name in wanted.items():
        if test.partition("::")[2] not in passed and name not in found:
            found[name] = f"{test} does not pass: {_reason(output)}"
    return found


def _passed(tests: list[str]) -> tuple[set[str], str]:
    """-> (the tests that pass, without their file's name; what pytest printed)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):  # a test that there is not, a file that cannot be read
            said = _reason(done.stdout + done.stderr)
            raise InputError(f"the tests of parity could not be run: pytest ends with {done.returncode}: {said}")
        cases = xml.parse(report).getroot().iter("testcase")
        return {case.attrib["name"] for case in cases if not len(case)}, done.stdout


def _reason(output: str) -> str:
    """The first error that pytest shows, otherwise its last line."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = (found[1] for line in lines if (found := ERROR.match(line)))
    return next(errors, "".join(lines[-1:]))
