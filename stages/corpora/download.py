"""Files of public corpora: downloaded from their publishers, or read from a mirror folder; verified either way.

The environment variable CORPUS_MIRROR names a folder with one folder a corpus of already converted text. Without it,
the publisher's archives are downloaded to `work/downloads/<corpus>/` and converted there once. The SHA-256 of
every file is checked before it is read, so a mirror and a download give the same corpus or an error.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from stages.corpora.fetch import fetch
from stages.files.atomic import new_file, remove
from stages.files.errors import InputError, OutputError

DOWNLOADS = Path("work/downloads")


@dataclass(frozen=True)
class Archive:
    """One file of the publisher, the names of the texts in it, and how to get their lines out of it.

    limit: bytes that it cannot exceed: its texts have fewer even uncompressed.
    file: the name under which it is kept beside its texts.
    """

    url: str
    limit: int
    names: tuple[str, ...]
    extract: Callable[[Path], Mapping[str, Iterable[str]]]

    @property
    def file(self) -> str:
        published = self.url.rsplit("/", 1)[1]
        return f"published-{published}" if published in self.names else published


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
    path = folder / archive.file
    if not path.exists():
        fetch(archive.url, path, archive.limit)
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
    with open(path, "rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if found != sha256:
        raise InputError(f"{path}: not the published text (SHA-256 differs): corrupted or truncated; {remedy}")
