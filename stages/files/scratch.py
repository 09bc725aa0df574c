"""The folder of a training under way, named by everything that its result depends on.

When a training has ended, its folder waits under another name until DVC has recorded the result: DVC deletes a result
that it has not recorded, and the training must not be lost with it.
"""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from stages.files import locks
from stages.files.errors import InputError
from stages.files.text import reading

ENDED, GONE = ".ended", ".gone"


def scratch_folder(root: Path, name: str, settings: Sequence[str], inputs: Iterable[Path]) -> Path:
    """A folder below ``root`` for the training ``name``: that of an earlier run if it had the same settings and inputs.

    What runs of other settings or inputs left there under this name is deleted.

    Args:
        inputs: files, logs left out, and folders of files.

    Raises:
        InputError: with other settings or inputs, another process is training under this name.
    """
    files = [file for path in inputs for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    checksums = [_checksum(file) for file in files if file.suffix != ".log"]
    identity = hashlib.sha256("\n".join([*settings, *checksums]).encode()).hexdigest()
    scratch = root / f"{name}-{identity[:16]}"
    if (ended := _ended(scratch)).exists() and not scratch.exists():
        ended.rename(scratch)
    for stale in root.glob(f"{name}-*"):
        if stale != scratch:
            with alone(stale):
                shutil.rmtree(stale)
    scratch.mkdir(parents=True, exist_ok=True)
    return scratch


def end(scratch: Path) -> None:
    """Put the folder of an ended training aside, where `scratch_folder` finds it until `discard_ended` deletes it."""
    scratch.rename(_ended(scratch))


def discard_ended(root: Path, name: str) -> None:
    """Delete the folders below ``root`` of trainings ``name`` that have ended. To be called when DVC has recorded them,
    as it has when it runs a stage that reads the model."""
    for ended in root.glob(f"{name}-*{ENDED}"):
        ended.rename(ended.with_suffix(GONE))  # of a kill in between `scratch_folder` finds all of it or nothing
    for gone in root.glob(f"{name}-*{GONE}"):
        shutil.rmtree(gone)


def _ended(scratch: Path) -> Path:
    return scratch.with_name(f"{scratch.name}{ENDED}")


@contextmanager
def alone(scratch: Path) -> Iterator[None]:
    """Hold the scratch folder against a second process.

    Raises:
        InputError: another process is training there, or the file system has no locks.
    """
    with (scratch / "lock").open("w") as lock:
        try:
            locks.take(lock.fileno(), scratch / "lock")
        except BlockingIOError:
            raise InputError(f"{scratch}: another process is training there; wait for it or stop it") from None
        yield


def _checksum(path: Path) -> str:
    with reading(path) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
