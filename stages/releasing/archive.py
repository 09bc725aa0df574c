"""Some files as one, `.tar.xz`, always of the same bytes, and read with nothing in it trusted."""

import io
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.text import compression, reading

NAME = re.compile(r"(translations/)?[A-Za-z0-9][A-Za-z0-9_.-]*")


class Kind(NamedTuple):
    """What is said of an archive that is damaged: what its files belong to, and the remedy. largest: bytes of all its
    members together."""

    of: str
    remedy: str
    largest: int


def write_archive(path: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` (name -> content) in this order; a name may have `translations/` in front of it.

    Raises:
        OutputError: the disk is full or the folder is not writable; what stood at `path` is as it was.
    """
    with new_file(path) as handle, tarfile.open(fileobj=handle.buffer, mode="w:xz", format=tarfile.PAX_FORMAT) as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


@contextmanager
def opened(path: Path, kind: Kind) -> Iterator[Iterator[tuple[str, bytes]]]:
    """The members in their order, each with its content.

    Raises:
        InputError: the file is missing, damaged or no archive, or holds what `write_archive` never writes.
    """
    try:
        with reading(path) as handle, tarfile.open(fileobj=handle, mode="r|") as tar:
            yield _members(path, tar, kind)
    except tarfile.TarError as error:
        what = "is damaged" if compression(path) or not path.stat().st_size else f"is no archive of {kind.of}"
        raise InputError(f"{path} {what} ({error}); {kind.remedy}") from None


def _members(path: Path, tar: tarfile.TarFile, kind: Kind) -> Iterator[tuple[str, bytes]]:
    left = kind.largest
    for member in tar:
        left -= member.size
        if not member.isreg() or not NAME.fullmatch(member.name) or left < 0:
            what = f"which is no file of {kind.of}, or a huge one"
            raise InputError(f"{path} holds {member.name!r}, {what}; {kind.remedy}")
        content = tar.extractfile(member)
        assert content is not None  # a regular file has some
        yield member.name, content.read()
