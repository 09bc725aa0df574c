"""Whole runs on small and read-only file systems: a sentence each time, in the end what an undisturbed run leaves."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack import outputs, study
from tests.attack.long import long

PLACES = ("work", ".dvc", "reports")
RUNS = 9
"""That disks may be full in, each time at another file, until they have doubled so often that all has room."""


def mount(*arguments: str) -> None:
    answer = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if answer.returncode:
        pytest.skip(f"needs root and leave to mount: {answer.stderr.strip()}")


class Disk:
    """A tmpfs at ``path``, whose content it takes over."""

    def __init__(self, path: Path, kilobytes: int) -> None:
        self.path, self.kilobytes = path, kilobytes
        before = {file.name: file.read_bytes() for file in path.iterdir() if file.is_file()} if path.exists() else {}
        path.mkdir(exist_ok=True)
        mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(path))
        for name, content in before.items():
            (path / name).write_bytes(content)

    def set(self, option: str) -> None:
        mount("-o", f"remount,{option}", str(self.path))

    def grow(self) -> None:
        self.kilobytes *= 2
        self.set(f"size={self.kilobytes}k")


@pytest.fixture
def disks(tmp_path) -> Iterator[tuple[study.Checkout, dict[str, bytes], list[Disk]]]:
    """A checkout, what an undisturbed run leaves in it, and small disks in the place of its folders."""
    checkout = study.Checkout(tmp_path / "checkout")
    checkout.make(study.params())
    answer = checkout.run()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    expected = checkout.contents()
    checkout.begin_anew()
    made = []
    try:
        for name in PLACES:
            made.append(Disk(checkout.folder / name, 100))
        yield checkout, expected, made
    finally:
        for disk in made:
            subprocess.run(["umount", "--lazy", str(disk.path)], check=True)


def refused(checkout: study.Checkout, words: str) -> None:
    answer = checkout.run()
    printed = answer.stdout + answer.stderr
    assert answer.returncode == 1, printed
    assert words in printed and "Traceback" not in printed, printed[-6000:]


@pytest.mark.process
@long
def test_full_and_read_only_disks_cost_no_more_than_the_run(disks):
    checkout, expected, made = disks
    for disk in made[:2]:  # reports is written at the very end
        disk.set("ro")
        refused(checkout, "Read-only file system")
        disk.set("rw")
    for _ in range(RUNS):
        answer = checkout.run()
        if answer.returncode == 0:
            break
        printed = answer.stdout + answer.stderr
        assert "No space left on device" in printed and "Traceback" not in printed, printed[-6000:]
        for disk in made:
            disk.grow()
    else:
        pytest.fail(f"{RUNS} runs did not end it:\n{printed[-6000:]}")
    assert outputs.differences(checkout.contents(), expected) == []
