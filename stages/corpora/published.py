"""What publishers' files have in common: text in UTF-8 that is read whole, and its control characters."""

import tarfile
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from stages.corpora.download import Archive
from stages.files.errors import InputError
from stages.files.text import reading

Convert = Callable[[list[str], str], Iterable[str]]
"""From the lines of a published file, and its name for messages, to those of a text."""


def clean(line: str) -> str:
    """`line` with control characters made blanks and outer white space removed."""
    return "".join(" " if unicodedata.category(c) == "Cc" else c for c in line).strip()


def cleaned(lines: list[str], where: str) -> list[str]:
    """A text that is published as it is, but for what `clean` does."""
    return [clean(line) for line in lines]


def column(number: int, separator: str, count: int, lines: list[str], where: str) -> list[str]:
    """One of the `count` columns, from 0, of lines that have them between separators."""
    rows = [line.split(separator) for line in lines]
    for k, row in enumerate(rows, 1):
        if len(row) != count:
            raise InputError(f"{where}, line {k}: {len(row)} columns where {count} are published")
    return [clean(row[number]) for row in rows]


def split_lines(content: bytes, where: str) -> list[str]:
    """The lines of a file that ends in a line feed; a byte order mark is left out.

    Raises:
        InputError: bytes that are not UTF-8.
    """
    try:
        return content.decode("utf-8-sig").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 ({error})") from error


def read_bounded(path: Path, limit: int) -> bytes:
    """The decompressed bytes of a file; an InputError if there are more than `limit`."""
    with reading(path) as handle:
        content = handle.read(limit + 1)
    if len(content) > limit:
        raise InputError(f"{path}: unpacks to more than {limit:,} bytes")
    return content


def read_members(archive: Path, limit: int, wanted: Callable[[str], bool] = lambda name: True) -> dict[str, bytes]:
    """The files of a .tar.gz whose path in it is `wanted`, by file name.

    Raises:
        InputError: the archive is truncated or corrupted, or holds more than `limit` bytes.
    """
    found: dict[str, bytes] = {}
    size = 0
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for file in filter(tarfile.TarInfo.isfile, tar):
                size += file.size
                if size > limit:
                    raise InputError(f"{archive}: unpacks to more than {limit:,} bytes")
                if wanted(file.name):
                    content = tar.extractfile(file)
                    assert content is not None  # a regular file has some
                    found[PurePosixPath(file.name).name] = content.read()
        return found
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        raise InputError(f"{archive}: truncated or corrupted ({error})") from error


def file_of(url: str, limit: int, texts: Mapping[str, Convert]) -> Archive:
    """A published file that is no archive, and the texts that are made of its lines. limit: its bytes, uncompressed."""
    return Archive(url, limit, tuple(texts), partial(_extract, limit, texts))


def _extract(limit: int, texts: Mapping[str, Convert], path: Path) -> dict[str, Iterable[str]]:
    lines = split_lines(read_bounded(path, limit), str(path))
    return {name: convert(lines, str(path)) for name, convert in texts.items()}
