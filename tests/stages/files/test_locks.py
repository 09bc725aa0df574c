"""A file that another process has locked, and a file system without locks."""

import errno
import fcntl

import pytest

from stages.files.errors import InputError
from stages.files.locks import take


def test_a_locked_file_is_not_locked_again(tmp_path):
    with open(tmp_path / "lock", "w") as first, open(tmp_path / "lock", "w") as second:
        take(first.fileno(), tmp_path / "lock")
        with pytest.raises(BlockingIOError):
            take(second.fileno(), tmp_path / "lock")


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch, number):
    def flock(*_):
        raise OSError(number, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with open(tmp_path / "lock", "w") as handle, pytest.raises(InputError, match=r"cannot be locked .* `-o flock`"):
        take(handle.fileno(), tmp_path / "lock")
