"""Lines of text: checked reading, atomic writing.

Everything that the pipeline reads is UTF-8, one sentence a line, plain or compressed (gzip, xz, bzip2, by its first
bytes). Its characters are in Unicode's form NFC: what is typed in other ways is the same text.
"""

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, Literal

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.formats import BZIP2, GZIP, XZ, not_utf8, refuse, refuse_records, refuse_utf16

NORMAL_FORM: Literal["NFC"] = "NFC"
BYTE_ORDER_MARK = "\ufeff"
# Characters that some readers take for a line end, though only LF ends a line here. Joined files have a byte order mark
# within, and a filter may move it to the first line, as it may NUL, which text in UTF-16 is recognised by.
NO_TEXT = dict.fromkeys(map(ord, "\0\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ") | {ord(BYTE_ORDER_MARK): None}
OUTER = " \t\r\n"
"""What is cut off at the ends of a line of tokenised text."""
OPEN_BOX = "\u2423"
"""Stands in tokenised text for other white space than blanks and tabs, at which some programs would part words."""
OTHER_SPACE = re.compile(r"[^\S \t]")
LONE_MARK = re.compile(f"(?<![^ \t]){BYTE_ORDER_MARK}+(?![^ \t])")
BUFFER = 1 << 20  # bytes
LONGEST = 1 << 20  # bytes of a line, decompressed: what has more is no sentence, and would be read into memory whole


OPENERS: dict[bytes, Callable[[Path], Any]] = {GZIP: gzip.open, XZ: lzma.open, BZIP2: bz2.open}


def compression(path: Path) -> bytes | None:
    """The key in `OPENERS` of a compressed file: by its first bytes; by its suffix (.gz, .xz), where these are damaged;
    None of any other file."""
    with open(path, "rb") as handle:
        start = handle.read(len(XZ))
    if start.startswith((GZIP, XZ)) or (start.startswith(BZIP2) and start[3:4].isdigit()):
        return next(first for first in OPENERS if start.startswith(first))
    return {".gz": GZIP, ".xz": XZ}.get(path.suffix) if start else None


def open_binary(path: Path) -> Any:
    """The decompressed bytes of `path`."""
    first = compression(path)
    return open(path, "rb") if first is None else OPENERS[first](path)


@contextmanager
def reading(path: Path) -> Iterator[io.BufferedReader]:
    """Open `path` for reading (decompressed); a missing, unreadable or damaged file is an InputError.

    So is a pipe or a device, which could be waited for or read for ever.
    """
    if "\0" in str(path):
        raise InputError(f"{str(path)!r}: no path holds the character NUL; correct it in the settings")
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError(f"{path}: cannot be read, for it is {_kind(path)}; name a file")
        with open_binary(path) as handle, io.BufferedReader(handle, BUFFER) as buffered:
            yield buffered
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: truncated or corrupted ({error}); fetch or compress the file again") from error
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file; correct its path") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path and its permissions") from error


def check_sentences(path: Path) -> None:
    """Raise an InputError if the file cannot be read, or its first lines show records instead of sentences."""
    with reading(path) as handle:
        refuse_records(handle.readline(LONGEST), handle.readline(LONGEST), str(path))


def _kind(path: Path) -> str:
    return "a folder" if path.is_dir() else "a pipe" if path.is_fifo() else "no regular file"


def iter_lines(path: Path, *, allow_empty: bool = False, tokenised: bool = False) -> Iterator[str]:
    """Stream the lines of `path` as `decoded_lines` does.

    Raises:
        InputError: missing or damaged file, bytes that are not UTF-8, a line of more than `LONGEST` bytes, an empty
            line (unless `allow_empty`).
    """
    with reading(path) as handle:
        for number, line in enumerate(decoded_lines(handle, str(path), tokenised), 1):
            if not line and not allow_empty:
                raise InputError(f"{path}, line {number}: empty line; remove it here and in the parallel files")
            yield line


def decoded_lines(handle: BinaryIO, name: str, tokenised: bool = False) -> Iterator[str]:
    """Stream what `handle` gives as lines, each `as_read`; a byte order mark at the very beginning is left out.

    Raises:
        InputError: no text of a sentence a line (see `stages.files.formats`), bytes that are not UTF-8, or a line of
            more than `LONGEST` bytes; `name` stands for the file.
    """
    for number, raw in enumerate(iter(lambda: handle.readline(LONGEST + 1), b""), 1):
        if number == 1:
            refuse(raw, name)
        if len(raw) > LONGEST:
            raise InputError(
                f"{name}, line {number}: longer than {LONGEST:,} bytes, which no sentence is; one sentence a line is "
                "expected, so check its line ends"
            )
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            if number == 1:
                refuse_utf16(raw + handle.read(BUFFER), name)
            raise not_utf8(f"{name}, line {number}: byte {error.start + 1} of the line", raw, error) from error
        yield as_read(line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line, tokenised)


def as_read(line: str, tokenised: bool) -> str:
    """`line` in NFC, outer white space and all byte order marks removed, line-break characters and NUL made blanks.

    tokenised: only blanks, tabs and NUL part words; see `kept_whole`. A line of nothing but white space is empty.
    """
    line = line.strip(OUTER) if tokenised else line.strip()
    if not line.isprintable():  # seldom, and translating takes longer than all the rest
        text = line.translate(NO_TEXT).strip()
        line = kept_whole(line.replace("\0", " ").strip(OUTER)) if tokenised and text else text
    return line if line.isascii() else unicodedata.normalize(NORMAL_FORM, line)


def kept_whole(line: str) -> str:
    """`line` of tokenised text with the words that blanks and tabs part, and no other white space.

    `OPEN_BOX` stands for that, and for a word of byte order marks alone; those in longer words are left out.
    """
    if line.isprintable():
        return line
    return OTHER_SPACE.sub(OPEN_BOX, LONE_MARK.sub(OPEN_BOX, line).replace(BYTE_ORDER_MARK, ""))


def read_lines(path: Path, *, allow_empty: bool = False, tokenised: bool = False) -> tuple[str, ...]:
    """All lines of `path`; see `iter_lines`."""
    return tuple(iter_lines(path, allow_empty=allow_empty, tokenised=tokenised))


def iter_parallel(
    source: Path, target: Path, *, allow_empty: bool = False, tokenised: bool = False
) -> Iterator[tuple[str, str]]:
    """Stream two parallel files as pairs of lines.

    Raises:
        InputError: as `iter_lines`, and when the line counts differ (known only at the end of the shorter file).
    """
    left, right = (iter_lines(path, allow_empty=allow_empty, tokenised=tokenised) for path in (source, target))
    for number, pair in enumerate(zip_longest(left, right), 1):
        if pair[0] is None or pair[1] is None:
            rest = sum(1 for _ in (right if pair[0] is None else left))
            shorter, longer = number - 1, number + rest
            counts = (shorter, longer) if pair[0] is None else (longer, shorter)
            check_counts((source, counts[0]), (target, counts[1]))
        yield pair


def check_counts(first: tuple[Path, int], *others: tuple[Path, int]) -> None:
    """Raise an InputError unless every (file, number of lines) has as many lines as the first."""
    for other in others:
        if other[1] != first[1]:
            raise InputError(
                f"{first[0]} has {first[1]} lines but {other[0]} has {other[1]}; "
                "line k of one must be the counterpart of line k of the other"
            )


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write `lines`, one a line, atomically."""
    with new_file(path) as handle:
        handle.writelines(f"{line}\n" for line in lines)
