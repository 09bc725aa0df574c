"""What DVC notes about who reads and writes which file, cleared of those that are gone.

DVC keeps it in one JSON file, which it writes in place: a kill in between leaves half of it, and no DVC command runs
from then on. An entry whose pid somebody else has by now blocks its files for ever.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from dvc.lock import LockError, make_lock
from dvc.rwlock import RWLOCK_FILE, RWLOCK_LOCK, SCHEMA, Invalid

from stages.files.errors import InputError
from stages.files.records import write_json

TEMPORARY = Path(".dvc") / "tmp"
Tell = Callable[[str], None]
"""What a sentence for the user is handed to."""


class Found(NamedTuple):
    """cleared: a sentence for the user, empty if all was well. live: commands that are at work, with their pids."""

    cleared: str
    live: dict[int, str]


def clear(folder: Path, say: Tell, patience: float = inf) -> Found:
    """Clear the entries below DVC's folder for locks; call it while no DVC process of ours runs.

    While another DVC command holds the file it waits, and says so; after `patience` seconds it leaves it as it is.
    """
    path = folder / RWLOCK_FILE
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(folder, say, patience) as held:
        if not held:
            return Found("", {})
        try:
            entries = SCHEMA(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Found("", {})
        except (ValueError, Invalid):
            write_json(path, {})
            return Found(f"{path} was unreadable, as a killed dvc command leaves it: cleared it", {})
        written = path.stat().st_mtime
        commands = {entry["pid"]: entry["cmd"] for entry in _all(entries)}
        live = {pid: command for pid, command in commands.items() if _owns(pid, command, written)}
        if not commands.keys() - live.keys():
            return Found("", live)
        write_json(path, _of(entries, live))
    gone = ", ".join(f"{pid}" for pid in sorted(commands.keys() - live.keys()))
    return Found(f"{path} named dvc commands that are gone (pid {gone}): removed them", live)


@contextmanager
def _lock(folder: Path, say: Tell, patience: float) -> Iterator[bool]:
    path = folder / RWLOCK_LOCK
    lock, deadline, said = make_lock(str(path), tmp_dir=str(folder)), time.monotonic() + patience, False
    while not lock.is_locked:
        try:
            lock.lock()
        except LockError:
            if not said:
                say(f"waiting until another dvc command lets go of {path} (`fuser {path}` says which)")
            said = True
            if time.monotonic() > deadline:
                yield False
                return
    try:
        yield True
    finally:
        lock.unlock()


def require_none(found: Found) -> None:
    """Raise InputError if a DVC command is at work."""
    if found.live:
        commands = ", ".join(f"pid {pid}: {command}" for pid, command in found.live.items())
        raise InputError(f"a dvc command is at work in this folder ({commands}); run again when it has ended")


def _all(entries: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from entries["write"].values()
    for readers in entries["read"].values():
        yield from readers


def _of(entries: dict[str, Any], pids: dict[int, str]) -> dict[str, Any]:
    """The entries of these processes."""
    readers = {path: [one for one in infos if one["pid"] in pids] for path, infos in entries["read"].items()}
    return {
        "write": {path: info for path, info in entries["write"].items() if info["pid"] in pids},
        "read": {path: infos for path, infos in readers.items() if infos},
    }


def _owns(pid: int, command: str, written: float) -> bool:
    """Whether the process with this pid wrote the entry: it is there, in this folder, had begun when the file was
    last written, and its command line ends like the command of the entry."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE or process.create_time() > written + 1:
            return False
        words, own = command.split()[1:], " ".join(process.cmdline()).split()
        return own[len(own) - len(words) :] == words and _is_here(process)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # another user's, of whom nobody can say more
        return True


def _is_here(process: psutil.Process) -> bool:
    try:
        return Path(process.cwd()).is_relative_to(Path.cwd())
    except psutil.AccessDenied:
        return True
