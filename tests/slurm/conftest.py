"""A real Slurm on this machine for the tests of this folder, which are skipped without one."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stages.pipeline.toy import Toy

SCRIPT = Path(__file__).with_name("cluster.sh")

SETTINGS = "cluster: {partition: all, time: 1, warning: 50, poll: 1, requeues: 20}"
"""The shortest limit of time that Slurm knows is a minute; the warning comes 10 to 40 seconds after a job's start."""


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")

    def script(self, command: str, *arguments: str) -> None:
        subprocess.run(["sh", SCRIPT, command, self.folder, *arguments], check=True, timeout=120)

    def jobs(self, state: str = "all") -> list[str]:
        """The names of jobs that Slurm remembers."""
        command = ["squeue", "--noheader", f"--states={state}", "--format=%j"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    def warn(self, job: str) -> None:
        """Send a job what Slurm sends when its time is nearly up."""
        subprocess.run(["scancel", "--signal=USR2", f"--name={job}"], check=True)

    def node(self, job: str) -> str:
        """Where a job runs."""
        command = ["squeue", "--noheader", "--states=RUNNING", f"--name={job}", "--format=%N"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if "TEST_SLURM" not in os.environ:
        pytest.skip("`make test-slurm` runs these: they take minutes")
    missing = [name for name in ("slurmctld", "slurmd", "munged", "squeue") if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"needs root and `apt-get install slurm-wlm munge` (missing: {', '.join(missing) or 'root'})")
    found = Cluster(Path(tempfile.mkdtemp(prefix="slurm-")))  # a socket's path is 107 bytes at most
    try:
        found.script("start", str(_free_ports()))
        yield found
    finally:
        found.script("stop")
        os.environ.pop("SLURM_CONF", None)
        shutil.rmtree(found.folder, ignore_errors=True)


@pytest.fixture
def toy(cluster, tmp_path) -> Toy:
    toy = Toy(tmp_path)
    toy.write(**{"params.local.yaml": SETTINGS})
    return toy


def _free_ports() -> int:
    """The first of four that nobody listens on."""
    for port in range(26800, 27800, 10):
        with socket.socket() as first, socket.socket() as last:
            try:
                first.bind(("127.0.0.1", port))
                last.bind(("127.0.0.1", port + 3))
                return port
            except OSError:
                continue
    raise RuntimeError("no free ports")
