"""Locks of files: the system takes them off when the last process that holds one ends, however it does."""

import errno
import fcntl
from pathlib import Path

from stages.files.errors import InputError

UNKNOWN = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP})


def take(descriptor: int, path: Path) -> None:
    """Lock an open file, `path`.

    Raises:
        BlockingIOError: another process has.
        InputError: its file system has no locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in UNKNOWN:
            raise
        raise InputError(
            f"{path}: files cannot be locked on this file system ({error.strerror}); mount it with locks (Lustre: "
            "`-o flock`), or work in a clone on another one"
        ) from None
