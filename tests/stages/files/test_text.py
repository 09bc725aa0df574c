"""Reading text: one UTF-8 sentence a line, plain or compressed, or an error that names file and line."""

import gzip
import lzma
from pathlib import Path

import pytest

from stages.files.errors import InputError
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
        (b"ein\0Hund\0\n\0\n", ("ein Hund", "")),  # NUL parts words
        (b"", ()),
    ],
)
def test_lines(tmp_path, content, lines):
    assert read_lines(stored(tmp_path, "", content), allow_empty=True) == lines


@pytest.mark.parametrize("content", ["\x85\x85\0\x85\n", "  \0 \n", "a\r\0 b\n"])
def test_text_with_nul_is_not_taken_for_utf16_once_it_is_written(tmp_path, content):
    found = read_lines(stored(tmp_path, "", content.encode()), allow_empty=True)
    write_lines(tmp_path / "again", found)
    assert read_lines(tmp_path / "again", allow_empty=True) == found


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
