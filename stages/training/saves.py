"""What a training under way has saved: folders that are written whole, and that say what they must hold.

    saves/00000007/checkpoint_last.pt   weights and optimiser
                   best.pt              the model of the best epoch, once there is one
                   epochs.jsonl         the journal
                   log.jsonl            fairseq's log
                   sums.json            which training this is, which save, and the sha256 of each file

A save gets its name by one rename, when all of it is there: whatever moment a process is killed at, the files of a save
belong together. The two newest are kept, so that damage to one costs the seconds between them; the best model alone is
one file in both, until there is a better one. A save is brought to the disk (fsync) when the next one has been written,
by when the system has mostly done so by itself, and before the one before it is deleted: a power cut finds at least one
on the disk, and loses two intervals at most.
"""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import torch

from stages.files.atomic import new_folder, remove, write_error
from stages.files.errors import InputError
from stages.files.records import read_json, write_json

LAST, BEST, EPOCHS, LOG = "checkpoint_last.pt", "best.pt", "epochs.jsonl", "log.jsonl"
SUMS = "sums.json"
KEPT = 2

State = Mapping[str, Any]
"""What a checkpoint holds."""


class _Record(NamedTuple):
    """sums.json of the save that is ``number`` of ``training``; files: name -> sha256."""

    training: str
    number: int
    files: dict[str, str]


class Saves:
    """Those of the training in a scratch folder."""

    def __init__(self, scratch: Path) -> None:
        self.scratch, self.folder = scratch, scratch / "saves"

    def newest(self) -> Path | None:
        """The folder of the newest save; None before the first."""
        return max(self._all(), default=None)

    def file(self, name: str) -> Path:
        """A file of the newest save; there need not be one."""
        return (self.newest() or self.folder) / name

    def sum(self, name: str) -> str:
        """The sha256 that a file of the newest save was written with.

        Raises:
            KeyError: it has no such file.
        """
        return self._record(self.file(name).parent).files[name]

    def add(self, last: State, epochs: Iterable[str], best: State | None = None) -> None:
        """Save the state of the training, the lines of its journal, its log, and the best model if that is a new one.

        Raises:
            OutputError: the disk is full, fails, or is not writable. The saves before this one are as they were.
        """
        before = self.newest()
        number = int(before.name) + 1 if before else 1
        with new_folder(self.folder / f"{number:08d}") as save:
            sums = {LAST: write_state(save / LAST, last)}
            if best is not None:
                sums[BEST] = write_state(save / BEST, best)
            elif before is not None and (before / BEST).exists():
                sums[BEST] = self.sum(BEST)
                _link(before / BEST, save / BEST)
            log = self.scratch / LOG
            texts = {EPOCHS: "".join(f"{line}\n" for line in epochs).encode()}
            texts[LOG] = log.read_bytes() if log.exists() else b""
            for name, text in texts.items():
                (save / name).write_bytes(text)
                sums[name] = hashlib.sha256(text).hexdigest()
            write_json(save / SUMS, _Record(self.scratch.name, number, sums)._asdict())
        if before is not None:
            sync(before)
        for old in sorted(self._all())[:-KEPT]:
            remove(old)

    def restore(self) -> None:
        """Have the training go on from the newest save that is sound, or begin anew if there is none.

        What is damaged is deleted, and one sentence on stderr says so.
        """
        damages = []
        for save in sorted(self._all(), reverse=True):
            damage = self._damage(save)
            if not damage:
                break
            damages.append(f"save {int(save.name)} ({damage})")
            remove(save)
        link = self.scratch / LAST  # where fairseq looks for it
        link.unlink(missing_ok=True)
        newest = self.newest()
        if newest is not None:
            link.symlink_to(newest.resolve() / LAST)
        if damages:
            begin = f"save {int(newest.name)}" if newest else "the beginning"
            _say(f"{self.scratch}: discarded {' and '.join(damages)}; training goes on from {begin}")
        (self.scratch / LOG).unlink(missing_ok=True)
        if newest is not None:  # what was logged after it will be logged again
            shutil.copyfile(newest / LOG, self.scratch / LOG)

    def _all(self) -> list[Path]:
        return [path for path in self.folder.glob("*") if re.fullmatch(r"\d{8}", path.name)]

    def _record(self, save: Path) -> _Record:
        record = _Record(**read_json(save / SUMS))
        if not isinstance(record.files, dict) or not {LAST, EPOCHS, LOG} <= record.files.keys():
            raise ValueError
        return record

    def _damage(self, save: Path) -> str:
        """What is wrong with a save; empty if nothing is."""
        try:
            record = self._record(save)
        except (TypeError, ValueError):  # an InputError is one
            return f"{SUMS} is damaged or missing"
        if (record.training, record.number) != (self.scratch.name, int(save.name)):
            return f"it is save {record.number} of {record.training}"
        for name, expected in record.files.items():
            try:
                found = checksum(save / name)
            except OSError as error:
                return f"{name}: {error.strerror}"
            if found != expected:
                return f"{name} is not what was saved"
        return ""


def write_state(path: Path, state: State) -> str:
    """Write a checkpoint as fairseq does, once and without its tracebacks; the sha256 of what was written.

    Raises:
        OutputError: the disk is full, fails, or is not writable; says how much it needs.
    """
    sink = None
    try:
        with path.open("wb") as handle:
            sink = _Sink(handle)
            torch.save(state, sink)  # type: ignore[arg-type]  # it calls write and flush alone
    except Exception as error:  # torch makes several kinds of what a file says
        cause = sink.error if sink and sink.error else error
        if isinstance(cause, OSError):
            raise write_error(path, cause, _bytes(state)) from error
        raise
    return sink.sum.hexdigest()


def publish(source: Path, expected: str, target: Path) -> None:
    """Copy a file of a save, and read the copy again.

    Raises:
        InputError: the file is not what was saved.
        OutputError: the copy is not what was copied.
    """
    if checksum(source) != expected:
        raise InputError(f"{source}: not what was saved; run again, and training goes on from the last sound save")
    shutil.copyfile(source, target)
    if checksum(target) != expected:
        raise InputError(f"{target}: not what was written; this disk or memory is faulty: run again elsewhere")


def sync(folder: Path) -> None:
    """Bring the files of a folder, and the folder, to the disk."""
    for path in (*folder.iterdir(), folder):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def checksum(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class _Sink:
    """A file for torch to write to, with the sum of what is written and the error of the file itself."""

    def __init__(self, handle: BinaryIO) -> None:
        self.handle, self.sum = handle, hashlib.sha256()
        self.error: OSError | None = None

    def write(self, data: bytes) -> int:
        try:
            written = self.handle.write(data)
        except OSError as error:
            self.error = error
            raise
        self.sum.update(data)
        return written

    def flush(self) -> None:
        self.handle.flush()


def _bytes(state: Any) -> int:
    """What the tensors of a state take."""
    if isinstance(state, torch.Tensor):
        return state.numel() * state.element_size()
    parts = state.values() if isinstance(state, Mapping) else state if isinstance(state, (list, tuple)) else ()
    return sum(map(_bytes, parts))


def _link(path: Path, to: Path) -> None:
    try:
        os.link(path, to)
    except OSError:  # not every file system has links
        shutil.copyfile(path, to)


def _say(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr, flush=True)
