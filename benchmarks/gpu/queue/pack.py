"""Items as one folder that is carried to a machine with a GPU."""

import hashlib
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.commit import PACKED, now_and_commit
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.prepared import FOLDER, PLACE
from benchmarks.gpu.queue.left import LEFT
from benchmarks.gpu.queue.training import COMMIT
from stages.files.atomic import new_folder
from stages.files.errors import InputError
from stages.files.git import git
from stages.files.run_directory import MANIFEST, REPORTS, RunDirectory
from stages.settings.params import PARAMS, read

TREE = ROOT / "work" / "gpu-pack"
WHEELS = ROOT / "work" / "gpu-wheels"
MIB = 2**20


def pack(names: Iterable[str], tree: Path, most: float) -> None:
    """The code, the wheels and what was prepared of these items, in place of what was at `tree`.

    Raises:
        InputError: it has more than `most` MiB, or an item is not prepared.
    """
    sizes: dict[str, float] = {}
    with new_folder(tree) as partial:
        sizes["code"] = _copied(_code(), partial)
        sizes["wheels"] = _copied(sorted(WHEELS.glob("*.whl")), partial)
        (partial / PACKED.name).write_text(now_and_commit()["commit"] or "", encoding="utf-8")
        for name in names:
            path = partial / PLACE / archive_of(name).name
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, FOLDER / name)
            sizes[name] = path.stat().st_size / MIB
        said = ", ".join(f"{what} {size:.1f}" for what, size in sizes.items())
        if (size := sum(sizes.values())) > most:
            raise InputError(f"{tree} would have {size:.1f} MiB ({said}), more than {most:g}; pack less, or give --mib")
    print(f"{tree}: {size:.1f} of {most:g} MiB ({said})", flush=True)


def _code() -> Iterator[Path]:
    """All that git has or would add but for reports, instead of which there is a list of what is left."""
    there = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, there.split("\0")):
        if Path(name).parts[0] != REPORTS.name and (ROOT / name).is_file():
            yield ROOT / name


def _copied(files: Iterable[Path], to: Path) -> float:
    """MiB."""
    size = 0
    for path in files:
        copy = to / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
        size += path.stat().st_size
    return size / MIB


def archive_of(name: str) -> Path:
    return FOLDER / f"{name}.tar.xz"


def _write(path: Path, folder: Path) -> None:
    """What trainings read of an item's folder; of files that are the same, as tables of candidates are, one."""
    if not (folder / COMMIT).exists():
        raise InputError(f"{folder} is not prepared; run `python -m benchmarks.gpu.queue prepare {folder.name}` first")
    content = read(folder / PARAMS)
    run = RunDirectory(Path(content["run"]))
    of_corpus = (run.of_corpus.text, run.of_corpus.wordalign, run.of_corpus.tags)
    read_by_all = (PARAMS, COMMIT, LEFT, MANIFEST, *of_corpus, run.tokens, run.data, run.supervision)
    seen: dict[bytes, str] = {}
    with tarfile.open(path, "w:xz") as tar:
        for file in (file for place in read_by_all for file in _files(folder / place)):
            member = tar.gettarinfo(file, str(file.relative_to(folder)))
            same = seen.setdefault(hashlib.sha256(file.read_bytes()).digest(), member.name)
            if same != member.name:
                member.type, member.linkname, member.size = tarfile.LNKTYPE, same, 0
            with file.open("rb") as handle:
                tar.addfile(member, handle if member.isreg() else None)


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())


def unpacked(name: str) -> None:
    """Make the item's folder of its archive, the first time: later it holds what trainings have saved."""
    if archive_of(name).exists() and not (FOLDER / name).exists():
        with new_folder(FOLDER / name) as folder, tarfile.open(archive_of(name)) as tar:
            tar.extractall(folder, filter="data")
