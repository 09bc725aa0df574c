"""Whole trainings on damaged work and on failing disks: a sentence, and the model of an undisturbed one in the end."""

import contextlib
import errno
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from stages.files.errors import InputError
from stages.files.main import run
from stages.files.scratch import discard_ended
from stages.training import journal
from stages.training import run as running
from stages.training.saves import BEST, LAST, LOG, SUMS, Saves
from tests.helpers import tiny
from tests.helpers.damage import flip

SAVED = 30  # saves before the kill: in the midst of the second epoch


@cache
def killed() -> Path:
    """The scratch root of a training that was killed."""
    root = tiny.study() / "killed"
    tiny.train_until_killed("often_saved", root, "Saves.add", SAVED)
    return root


def saves_in(root: Path) -> Saves:
    (scratch,) = root.iterdir()
    return Saves(scratch)


@pytest.fixture
def under_way(tmp_path) -> Saves:
    """A copy of the killed training's."""
    root = shutil.copytree(killed(), tmp_path / "scratch", symlinks=True)
    return saves_in(root)


def of_both(name: str) -> Callable[[Saves], None]:
    def damage(saves: Saves) -> None:
        for save in saves.folder.iterdir():
            flip(save / name)

    return damage


DAMAGED: dict[str, tuple[Callable[[Saves], None], str]] = {
    "checkpoint flipped": (lambda saves: flip(saves.file(LAST), 0.9), "goes on from save 29"),
    "bests flipped": (of_both(BEST), "goes on from the beginning"),
    "log flipped": (lambda saves: flip(saves.file(LOG)), "training goes on from save 29"),
}
"""What becomes of a training; test_saves.py has all damages to all files, and how each is found out."""


@pytest.mark.process
@pytest.mark.parametrize(("damage", "words"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_training_ends_as_an_undisturbed_one(under_way, tmp_path, capsys, damage, words):
    damage(under_way)
    capsys.readouterr()
    folder = tiny.train("often_saved", tmp_path / "scratch", tmp_path / "out")
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
    tiny.assert_same(folder, tiny.trained("rnnsearch_star"))


@pytest.mark.training
def test_work_that_was_changed_while_training_ran_is_not_published(tmp_path, monkeypatch, capsys):
    train_in = running.train_in

    def and_damage(scratch: Path, *arguments):
        result = train_in(scratch, *arguments)
        flip(Saves(scratch).file(BEST))
        return result

    monkeypatch.setattr(running, "train_in", and_damage)
    with pytest.raises(InputError, match=rf"{BEST}: not what was saved; run again"):
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    monkeypatch.undo()
    capsys.readouterr()
    folder = tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert f"({BEST} is not what was saved)" in capsys.readouterr().err
    tiny.assert_same(folder, tiny.trained("one_epoch"))


@pytest.mark.training
def test_a_kill_while_the_scratch_folder_is_deleted_is_no_damage(tmp_path, monkeypatch, capsys):
    class Kill(BaseException):
        pass

    def half(folder: Path) -> None:
        saves_in(tmp_path / "scratch").file(SUMS).unlink()
        raise Kill

    tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    monkeypatch.setattr("stages.files.scratch.shutil", SimpleNamespace(rmtree=half))
    with pytest.raises(Kill):
        discard_ended(tmp_path / "scratch", "one_epoch-1")
    monkeypatch.undo()
    capsys.readouterr()
    tiny.assert_same(tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "again"), tiny.trained("one_epoch"))
    assert capsys.readouterr().err == ""
    discard_ended(tmp_path / "scratch", "one_epoch-1")
    assert list((tmp_path / "scratch").iterdir()) == []


# Disks


def refused(capfd, variant: str, scratch: Path, out: Path) -> str:
    """What a training says that a disk ends: one sentence, and status 1."""
    capfd.readouterr()
    with pytest.raises(SystemExit) as end:
        run(lambda: tiny.train(variant, scratch, out))
    error = capfd.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    assert not (tiny.study() / out).exists()
    return error


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.training
def test_a_file_that_may_not_be_so_large_is_named(tmp_path, capfd):
    """The kernel refuses, as on a full disk, in the midst of a file."""
    expected = tiny.trained("one_epoch")
    with largest_file(60_000):
        error = refused(capfd, "one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert f"/{LAST}: larger than files may be here (File too large); raise the limit" in error
    tiny.assert_same(tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out"), expected)


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A file system of some hundred kilobytes: enough for one save, not for two."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=320k", "tmpfs", str(disk)]
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"cannot mount: {error}")
    if answer.returncode:
        pytest.skip(f"needs root and leave to mount: {answer.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)  # this process has logs of trainings open there


@pytest.mark.process
def test_a_full_disk_in_the_midst_of_training_costs_nothing_once_there_is_space(small_disk, tmp_path, capfd):
    expected = tiny.trained("rnnsearch_star")
    error = refused(capfd, "often_saved", small_disk / "scratch", tmp_path / "out")
    assert str(small_disk) in error and "no space left on the disk (No space left on device); free at least" in error
    saves = saves_in(small_disk / "scratch")
    assert saves.newest() is not None  # what was saved is not lost
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    folder = tiny.train("often_saved", small_disk / "scratch", tmp_path / "out")
    assert capfd.readouterr().err == ""
    tiny.assert_same(folder, expected)


@pytest.mark.process
def test_a_read_only_disk_is_one_sentence(small_disk, tmp_path, capfd):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert "Read-only file system" in refused(capfd, "one_epoch", small_disk / "scratch", tmp_path / "out")


@pytest.mark.training
@pytest.mark.parametrize(
    ("number", "words"), [(errno.EIO, "the disk fails (Input/output error)"), (errno.ENOSPC, "no space left")]
)
def test_a_disk_that_fails_under_the_log_is_one_sentence(tmp_path, capfd, monkeypatch, number, words):
    class Faulty:
        def write(self, text: bytes) -> None:
            raise OSError(number, "Input/output error")

        def close(self) -> None:
            pass

    begin = journal.JsonLines.__init__

    def begin_faulty(handler: journal.JsonLines, path: Path) -> None:
        begin(handler, path)
        handler.file.close()
        handler.file = Faulty()

    monkeypatch.setattr(journal.JsonLines, "__init__", begin_faulty)
    error = refused(capfd, "one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert f"/{LOG}: {words}" in error
    monkeypatch.undo()
    tiny.assert_same(tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out"), tiny.trained("one_epoch"))


@pytest.mark.slow  # it begins a training
def test_an_error_of_the_disk_that_names_no_file_names_the_folder(tmp_path, capfd, monkeypatch):
    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(running, "train_in", fails)
    error = refused(capfd, "one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert error.startswith(f"error: {tmp_path}/scratch/one_epoch-1-") and "the disk fails" in error
