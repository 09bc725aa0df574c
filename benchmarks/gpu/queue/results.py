"""Results on their way from a machine with a GPU: files that are not too large, and few."""

import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.gpu.__main__ import FOLDER as PAGES
from benchmarks.gpu.parts import ROOT
from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.releasing.results_file import read_results

NAME = re.compile(r"reports/released/[a-z0-9-]+/[a-z]+-[a-z]+/([a-z0-9_]+-[0-9]+)\.tar\.xz")
PART, OF_GPU = "part-{}.tar", ("gpu.json", "gpu.md")
MIB = 2**20
BLOCK, END = 512, 10240
"""Bytes of tar: a header and what a file is filled up to; and what closes it."""


def hand_back(made: Iterable[Path], out: Path, most: float) -> None:
    """These results as tar files of at most `most` MiB in `out`, the newest first, lest not all of them come back."""
    parts: list[list[Path]] = [[]]
    room = most * MIB - END
    for path in sorted(made, key=lambda path: path.stat().st_mtime, reverse=True):
        size = BLOCK * (1 + -(-path.stat().st_size // BLOCK))
        if size > room and parts[-1]:
            parts.append([])
            room = most * MIB - END
        if size > room:
            raise InputError(f"{path} has {size / MIB:.1f} MiB, more than a part may have; give --part-mib")
        parts[-1].append(path)
        room -= size
    out.mkdir(parents=True, exist_ok=True)
    for number, paths in enumerate(filter(None, parts), 1):
        with tarfile.open(out / PART.format(number), "w", format=tarfile.USTAR_FORMAT) as tar:
            for path in paths:
                tar.add(path, str(path))


def take_back(folder: Path) -> None:
    """Put what `hand_back` and parts of `make gpu` have left in a folder where `make release` and they would have.

    Raises:
        InputError: a file is damaged, is no result, or differs from the one that is there; those before it are taken.
    """
    there = [*sorted(folder.glob(PART.format("*"))), *(folder / name for name in OF_GPU)]
    if not (found := [path for path in there if path.exists()]):
        raise InputError(f"{folder} has no {PART.format(1)}, and no gpu.json")
    for path in found:
        if path.name in OF_GPU:
            shutil.copyfile(path, PAGES / path.name)
            print(PAGES / path.name)
        else:
            _take_results(path)


def _take_results(path: Path) -> None:
    try:
        with tarfile.open(path, "r:") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isreg() and NAME.fullmatch(member.name) else None
                if content is None:
                    raise InputError(f"{path} holds {member.name!r}, which is no result")
                _put(path, member.name, content.read())
    except tarfile.TarError as error:
        raise InputError(f"{path} is damaged ({error}); bring it back again") from None


def _put(path: Path, name: str, data: bytes) -> None:
    place = ROOT / name
    if place.exists() and place.read_bytes() != data:
        raise InputError(f"{path} holds another {name} than is there; delete one of them")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / place.name
        copy.write_bytes(data)
        about, _ = read_results(copy)
    if (of := f"{about['variant']}-{about['seed']}") != NAME.fullmatch(name)[1]:  # type: ignore[index]  # it matches
        raise InputError(f"{path}: {name} is of {of}")
    with new_file(place) as handle:
        handle.buffer.write(data)
    print(name)
