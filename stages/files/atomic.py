"""Files and folders that are written whole or not at all.

What is written goes to a temporary sibling first and is renamed at the end: a failure leaves nothing half-written.
"""

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from stages.files.errors import OutputError

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
TOO_LARGE = frozenset({errno.EFBIG})
FAULTY = frozenset({errno.EIO, errno.EREMOTEIO, errno.ESTALE})
NOT_WRITABLE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


OF_THE_DISK = DISK_FULL | TOO_LARGE | FAULTY | NOT_WRITABLE
"""What no code is at fault for."""


def write_error(path: Path, error: OSError, needed: int = 0) -> OutputError:
    """`error`, met while writing `path`, with its remedy. needed: bytes that the file takes, if that is known."""
    if error.errno in DISK_FULL:
        space = f"at least {max(1, needed >> 20)} MB there" if needed else "some space"
        return OutputError(f"{path}: no space left on the disk ({error.strerror}); free {space} and run again")
    if error.errno in TOO_LARGE:
        return OutputError(
            f"{path}: larger than files may be here ({error.strerror}); raise the limit (`ulimit -f`) and run again"
        )
    if error.errno in FAULTY:
        return OutputError(f"{path}: the disk fails ({error.strerror}); see what `dmesg` says of it, then run again")
    return OutputError(f"{path}: cannot be written ({error.strerror}); choose a folder that exists and is writable")


@contextmanager
def io_errors(path: Path) -> Iterator[None]:
    """An error of the disk in the body is an OutputError; it names `path` where nobody knows the file."""
    try:
        yield
    except OSError as error:
        if error.errno not in OF_THE_DISK:
            raise
        raise write_error(Path(error.filename or path), error) from error


def remove(path: Path) -> None:
    """Delete a file or a folder with its content, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _replacing(path: Path, prepare: Callable[[Path], None]) -> Iterator[Path]:
    """Yield a prepared temporary sibling of `path`; it takes the place of `path` if the body ends well."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove(partial)  # what a killed run left
        prepare(partial)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        yield partial
        if path.is_dir():
            remove(path)
        partial.replace(path)
    except OSError as error:
        remove(partial)
        if error.errno not in OF_THE_DISK:
            raise
        named = Path(error.filename or partial)
        if error.errno in NOT_WRITABLE and partial not in (named, *named.parents):  # what the body reads
            raise OutputError(f"{named}: cannot be read ({error.strerror}); check its permissions") from error
        raise write_error(path, error) from error
    except BaseException:
        remove(partial)
        raise


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder beside `path` that replaces `path` when the body ends without an error.

    Raises:
        OutputError: the disk is full or the folder is not writable. Nothing is left behind, and what stood at `path`
            before is untouched.
    """
    with _replacing(path, Path.mkdir) as partial:
        yield partial


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Yield a text handle (UTF-8, LF) whose content replaces `path` when the body ends; errors as `new_folder`."""
    with _replacing(path, Path.touch) as partial, open(partial, "w", encoding="utf-8", newline="\n") as handle:
        yield handle
