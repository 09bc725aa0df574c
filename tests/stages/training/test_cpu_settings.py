"""The settings of a training's process do what they are there for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def printed(code: str) -> list[str]:
    """The words that the code prints, run in a fresh process: the settings last as long as it does."""
    program = f"import resource, torch\nfrom stages.training.cpu_settings import save_time\n{code}"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc is that of Linux")
def test_memory_is_kept() -> None:
    """A tensor of 100 MB that was freed is made again without the system supplying its 25,000 pages anew."""
    faults = "resource.getrusage(resource.RUSAGE_SELF).ru_minflt"
    again = f"torch.ones(25_000_000); before = {faults}; torch.ones(25_000_000); print({faults} - before)"
    (kept,) = printed(f"save_time(); {again}")
    (mapped,) = printed(again)
    assert int(kept) < 100
    assert int(mapped) > 10_000 or "[always]" in HUGE_PAGES.read_text()  # where all large blocks are in huge pages
