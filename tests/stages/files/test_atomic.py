"""Writing leaves the whole output or nothing."""

import errno

import pytest

from stages.files.atomic import new_file, new_folder
from stages.files.errors import InputError, OutputError
from stages.files.text import read_lines, write_lines
from tests.helpers.full_disk import fill_disk


def test_folder_replaces_the_old_one_as_a_whole(tmp_path):
    out = tmp_path / "deep" / "corpus"
    for name in ("old", "new"):
        with new_folder(out) as folder:
            write_lines(folder / name, ["a"])
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == [
        "deep/corpus/new"
    ]


def test_what_the_body_cannot_read_is_named(tmp_path):
    source, out = tmp_path / "base" / "model.pt", tmp_path / "initial"

    def meeting(number, text, path):
        with new_folder(out):
            raise OSError(number, text, str(path))

    with pytest.raises(OutputError, match=rf"^{source}: cannot be read \(Permission denied\); check its permissions"):
        meeting(errno.EACCES, "Permission denied", source)
    with pytest.raises(OutputError, match=rf"^{out}: cannot be written \(Permission denied\); choose a folder"):
        meeting(errno.EACCES, "Permission denied", tmp_path / ".initial.partial" / "model.pt")
    with pytest.raises(OutputError, match=rf"^{out}: no space left"):
        meeting(errno.ENOSPC, "No space left on device", tmp_path / ".initial.partial" / "model.pt")


@pytest.mark.parametrize("error", [InputError("bad"), KeyboardInterrupt(), RuntimeError("bug")])
def test_failure_leaves_the_old_folder_and_nothing_else(tmp_path, error):
    out = tmp_path / "corpus"
    with new_folder(out) as folder:
        write_lines(folder / "text", ["old"])
    with pytest.raises(type(error)), new_folder(out) as folder:
        write_lines(folder / "text", ["half"])
        raise error
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]
    assert read_lines(out / "text") == ("old",)


def test_remains_of_a_killed_run_are_cleared(tmp_path):
    remains = tmp_path / ".corpus.partial"
    remains.mkdir()
    (remains / "half").write_text("half")
    with new_folder(tmp_path / "corpus") as folder:
        write_lines(folder / "text", ["whole"])
    assert [path.name for path in tmp_path.rglob("*")] == ["corpus", "text"]


def test_full_disk(tmp_path, monkeypatch):
    fill_disk(monkeypatch)
    with pytest.raises(OutputError, match="no space left on the disk"), new_file(tmp_path / "text") as handle:
        handle.write("x" * 100_000)
    with pytest.raises(OutputError, match="no space left on the disk"), new_folder(tmp_path / "out") as folder:
        write_lines(folder / "text", ["x"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("writer", [new_file, new_folder])
def test_folder_that_cannot_be_written(tmp_path, writer):
    (tmp_path / "file").write_text("not a folder")  # holds for root too, unlike permissions
    with pytest.raises(OutputError, match=r"cannot be written .* choose a folder"), writer(tmp_path / "file" / "out"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
