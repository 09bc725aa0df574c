"""The folder of a training under way, named by everything that its result depends on."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from stages.files import locks
from stages.files.errors import InputError
from stages.files.text import reading


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
    for stale in root.glob(f"{name}-*"):
        if stale != scratch:
            with alone(stale):
                shutil.rmtree(stale)
    scratch.mkdir(parents=True, exist_ok=True)
    return scratch


def discard(scratch: Path) -> None:
    """Delete a scratch folder: of a kill in between `scratch_folder` finds all of it or nothing."""
    rest = scratch.with_name(f"{scratch.name}.done")
    scratch.rename(rest)
    shutil.rmtree(rest)


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
