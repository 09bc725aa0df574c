"""Files of public corpora: downloaded from their publishers, or read from a mirror folder; verified either way.

The environment variable CORPUS_MIRROR names a folder with one folder a corpus of already converted text. Without it,
the publisher's archives are downloaded to `work/downloads/<corpus>/` and converted there once. The SHA-256 of
every file is checked before it is read, so a mirror and a download give the same corpus or an error.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import requests
from tqdm import tqdm

from stages.files.atomic import DISK_FULL, NOT_WRITABLE, new_file, remove, write_error
from stages.files.errors import InputError, OutputError

DOWNLOADS = Path("work/downloads")
CHUNK = 1 << 14  # bytes; a broken transfer loses at most this much
TIMEOUT = (15, 60)  # seconds to connect, seconds without a byte
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # statuses that are worth another attempt


@dataclass(frozen=True)
class Archive:
    """One file of the publisher, the names of the texts in it, and how to get their lines out of it."""

    url: str
    names: tuple[str, ...]
    extract: Callable[[Path], Mapping[str, Iterable[str]]]


@dataclass(frozen=True)
class Publication:
    """A public corpus: its folder name, SHA-256 of every file there, plain or compressed, and its archives."""

    folder: str
    sha256: Mapping[str, str]
    archives: tuple[Archive, ...]


@dataclass(frozen=True)
class Sources:
    """Where files of public corpora are looked for: the mirror if there is one, else the download folder."""

    mirror: Path | None
    downloads: Path

    @classmethod
    def of_environment(cls) -> "Sources":
        """The mirror that CORPUS_MIRROR names, and the usual download folder."""
        mirror = os.environ.get("CORPUS_MIRROR")
        return cls(Path(mirror) if mirror else None, DOWNLOADS)


def provide(publication: Publication, names: Iterable[str], sources: Sources) -> dict[str, Path]:
    """Verified files that hold the texts `names`, downloaded and converted first where they are missing.

    Raises:
        InputError: a file is missing from the mirror, cannot be downloaded, is damaged, or is not the published text.
    """
    wanted = tuple(names)
    if sources.mirror is not None:
        files = {name: _mirrored(sources.mirror / publication.folder, name, publication.sha256) for name in wanted}
        remedy = "copy the mirror's file again, or unset CORPUS_MIRROR to download it"
    else:
        folder = sources.downloads / publication.folder
        files = {name: folder / name for name in wanted}
        for archive in publication.archives:
            if any(name in archive.names and not files[name].exists() for name in wanted):
                convert(archive, publication.sha256, folder)
        remedy = "delete it and run again"
    for path in files.values():
        _verify(path, publication.sha256[path.name], remedy)
    return files


def convert(archive: Archive, sha256: Mapping[str, str], folder: Path) -> None:
    """Download `archive` into `folder` unless it is there, and write its texts beside it.

    Raises:
        InputError: the archive is damaged or does not hold the published text; it is deleted, so that another run
            downloads it again.
    """
    path = folder / archive.url.rsplit("/", 1)[1]
    if not path.exists():
        fetch(archive.url, path)
    print(f"converting {path}", flush=True)
    try:
        for name, lines in archive.extract(path).items():
            _write_verified(folder / name, lines, sha256[name])
    except OutputError:
        raise  # not the archive's fault
    except InputError as error:
        remove(path)
        raise InputError(f"{error}; the download {path} was deleted, run again to fetch it anew") from error


def _write_verified(path: Path, lines: Iterable[str], sha256: str) -> None:
    digest = hashlib.sha256()
    with new_file(path) as handle:
        for line in lines:
            text = f"{line}\n"
            digest.update(text.encode())
            handle.write(text)
        if digest.hexdigest() != sha256:
            raise InputError(f"{path}: the converted text is not the published one (SHA-256 differs)")


def _mirrored(folder: Path, name: str, published: Iterable[str]) -> Path:
    candidates = [folder / form for form in (name, f"{name}.gz", f"{name}.xz") if form in published]
    for path in candidates:
        if path.exists():
            return path
    missing = " or ".join(map(str, candidates))
    raise InputError(f"{missing} is missing; correct CORPUS_MIRROR, or unset it to download the corpus")


def _verify(path: Path, sha256: str, remedy: str) -> None:
    digest = hashlib.sha256()
    with open(path, "rb") as handle:
        while block := handle.read(CHUNK):
            digest.update(block)
    if digest.hexdigest() != sha256:
        raise InputError(f"{path}: not the published text (SHA-256 differs): corrupted or truncated; {remedy}")


class _Interrupted(Exception):
    """The transfer stopped early for a reason that may pass."""


def fetch(url: str, path: Path, attempts: int = 6, wait: float = 1.0) -> None:
    """Download `url` to `path` with a progress bar.

    An interrupted transfer goes on where it stopped (HTTP Range, into `<path>.part`), in this run after `wait` seconds
    that double with each attempt, or in the next run. The size is checked against the server's; content is not.

    Raises:
        InputError: refused by the server, still incomplete after `attempts`, or the folder cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    print(f"downloading {url} to {path}", flush=True)
    for attempt in range(attempts):
        if attempt:
            time.sleep(wait * 2 ** (attempt - 1))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _transfer(url, part)
            part.replace(path)
            return
        except (requests.RequestException, _Interrupted) as error:
            reason = str(error)
        except OSError as error:
            if error.errno in DISK_FULL | NOT_WRITABLE or not path.parent.is_dir():
                raise write_error(path, error) from error
            reason = str(error)
    raise InputError(
        f"{url}: incomplete after {attempts} attempts ({reason}); check the network and run again, which goes on from "
        f"what {part} holds, or set CORPUS_MIRROR to a folder that has the corpus"
    )


def _transfer(url: str, part: Path) -> None:
    """One attempt: ask for what `part` lacks, append it, and check the size."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        if response.status_code == requests.codes.requested_range_not_satisfiable:
            remove(part)
            raise _Interrupted(f"the server has nothing beyond byte {have}, starting over")
        if response.status_code in PASSING:
            raise _Interrupted(f"the server answered {response.status_code} {response.reason}")
        if not response.ok:
            raise InputError(
                f"{url}: the server answered {response.status_code} {response.reason}; if the publisher moved "
                "the file, set CORPUS_MIRROR to a folder that has the corpus"
            )
        resumed = response.status_code == requests.codes.partial_content
        if resumed and not str(response.headers.get("Content-Range")).startswith(f"bytes {have}-"):
            remove(part)
            raise _Interrupted("the server sent another range than was asked for, starting over")
        start = have if resumed else 0
        announced = response.headers.get("Content-Length")
        total = None if announced is None else start + int(announced)
        with (
            open(part, "ab" if resumed else "wb") as handle,
            tqdm(total=total, initial=start, unit="B", unit_scale=True, desc=part.stem, disable=None) as bar,
        ):
            for block in response.iter_content(CHUNK):
                handle.write(block)
                bar.update(len(block))
    size = part.stat().st_size
    if total is not None and size != total:
        if size > total:
            remove(part)
        raise _Interrupted(f"truncated: {size} of {total} bytes")
