"""What can happen to a file while nobody looks."""

import os
from collections.abc import Callable
from pathlib import Path


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def flip(path: Path, place: float = 0.5) -> None:
    """Turn one bit over. place: where, from 0, the first byte, to 1, the last one."""
    content = bytearray(path.read_bytes())
    content[round(place * (len(content) - 1))] ^= 1 << 3
    with path.open("r+b") as handle:  # the same file, whatever else is linked to it
        handle.write(content)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "truncated": truncate,
    "emptied": empty,
    "missing": Path.unlink,
    "first byte flipped": lambda path: flip(path, 0),
    "a byte in front flipped": lambda path: flip(path, 0.1),
    "middle byte flipped": flip,
    "last byte flipped": lambda path: flip(path, 1),
}
