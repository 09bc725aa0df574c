"""Where the lines come from: a file or the standard input."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from stages.files.text import compression, decoded_lines, reading

BLOCK = 1 << 20  # bytes


class Source(NamedTuple):
    """lines: one after the other; count: how many there are, None where nobody can know; typed: by a person."""

    lines: Iterator[str]
    count: int | None  # type: ignore[assignment]  # hides tuple's own, which nobody calls
    typed: bool


@contextmanager
def opened(path: Path | None, tokenised: bool) -> Iterator[Source]:
    """The lines of `path`, plain or compressed; of the standard input if there is none. tokenised: they are words.

    Raises:
        InputError: as `stages.files.text.reading` and `decoded_lines`, the latter while lines are taken.
    """
    if path is None:
        handle = sys.stdin.buffer
        yield Source(decoded_lines(handle, "standard input", tokenised), _count(handle.fileno()), sys.stdin.isatty())
        return
    with reading(path) as handle:
        with open(path, "rb") as plain:
            count = None if compression(path) else _count(plain.fileno())
        yield Source(decoded_lines(handle, str(path), tokenised), count, typed=False)


def _count(descriptor: int) -> int | None:
    """The lines of a regular file from where it stands, which it does not leave."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return None
    at, count, last = os.lseek(descriptor, 0, os.SEEK_CUR), 0, b"\n"
    while block := os.pread(descriptor, BLOCK, at):
        at, count, last = at + len(block), count + block.count(b"\n"), block[-1:]
    return count + (last != b"\n")
