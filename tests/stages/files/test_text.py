"""Reading rejects what is not one UTF-8 sentence a line; writing leaves the whole output or nothing."""

import gzip
import lzma
from pathlib import Path

import pytest

from stages.files import text as textio
from stages.files.atomic import new_file, new_folder
from stages.files.errors import InputError, OutputError
from stages.files.records import read_json, write_json
from stages.files.text import iter_parallel, read_lines, write_lines

TEXT = "ein Hund\nzwei Köter\n"


def stored(folder: Path, suffix: str, content: bytes) -> Path:
    path = folder / f"text.de{suffix}"
    pack = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[suffix]
    path.write_bytes(pack(content))
    return path


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_reads_plain_and_compressed_alike(tmp_path, suffix):
    assert read_lines(stored(tmp_path, suffix, TEXT.encode())) == ("ein Hund", "zwei Köter")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\r\nb\r\n", ("a", "b")),  # Windows
        (b"\xef\xbb\xbfa\nb", ("a", "b")),  # byte order mark, no final line end
        (b"  a  b \n", ("a  b",)),
        ("a\u2028b\x85c\n".encode(), ("a b c",)),  # only LF ends a line
        (b"", ()),
    ],
)
def test_lines(tmp_path, content, lines):
    assert read_lines(stored(tmp_path, "", content)) == lines


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        (b"gut\nK\xf6ter\n", "line 2", "byte 2 of the line (0xf6) is not UTF-8"),
        (b"gut\n\nbesser\n", "line 2", "empty line"),
        (b"gut\nbesser\n \t\n", "line 3", "empty line"),
    ],
)
def test_bad_text_is_named_by_file_and_line(tmp_path, suffix, content, where, what):
    path = stored(tmp_path, suffix, content)
    with pytest.raises(InputError) as error:
        read_lines(path)
    assert str(error.value).startswith(f"{path}, {where}: {what}")


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
@pytest.mark.parametrize("damage", ["truncated", "corrupted"])
def test_damaged_compressed_file(tmp_path, suffix, damage):
    path = stored(tmp_path, suffix, bytes(range(10, 90)) * 50)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20] if damage == "truncated" else b"nonsense" + whole[8:])
    with pytest.raises(InputError, match=r"text\.de\..z: truncated or corrupted"):
        read_lines(path, allow_empty=True)


@pytest.mark.parametrize("lines", [(3, 5), (5, 3), (0, 1)])
def test_line_counts_that_differ(tmp_path, lines):
    paths = [tmp_path / "train.de", tmp_path / "train.en"]
    for path, count in zip(paths, lines, strict=True):
        path.write_text("a\n" * count)
    with pytest.raises(InputError) as error:
        list(iter_parallel(*paths))
    assert f"{paths[0]} has {lines[0]} lines but {paths[1]} has {lines[1]}" in str(error.value)


def test_missing_file_and_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(InputError, match="absent: no such file"):
        read_lines(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read"):
        read_lines(tmp_path)


def test_json_round_trip_and_bad_json(tmp_path):
    write_json(tmp_path / "stats.json", {"pairs": 2, "name": "Köter"})
    assert read_json(tmp_path / "stats.json") == {"pairs": 2, "name": "Köter"}
    (tmp_path / "stats.json").write_text('{"pairs": ')
    with pytest.raises(InputError, match=r"stats\.json: not valid JSON"):
        read_json(tmp_path / "stats.json")


def test_folder_replaces_the_old_one_as_a_whole(tmp_path):
    out = tmp_path / "deep" / "corpus"
    for name in ("old", "new"):
        with new_folder(out) as folder:
            write_lines(folder / name, ["a"])
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == [
        "deep/corpus/new"
    ]


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


@pytest.fixture
def full_disk(monkeypatch):
    """Every file opened for writing by textio is the device that is always full: a real ENOSPC."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")

    def opening(path, mode, **options):
        return open("/dev/full" if "w" in mode else path, mode, **options)

    monkeypatch.setattr(textio, "open", opening, raising=False)


def test_full_disk(tmp_path, full_disk):
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
