"""Files that are no UTF-8 text of a sentence a line are read or refused by what they hold, with a remedy that works."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.text import check_sentences, read_lines
from tests.helpers.archives import tar_of

TEXT = "ein Hund\nzwei Köter\n"
CHINESE = "昨天小猫看见苹果。\n"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, bytes])
@pytest.mark.parametrize("name", ["text.GZ", "text", "text.bz2"])
def test_compressed_files_are_known_by_their_first_bytes(tmp_path: Path, pack, name: str) -> None:
    (tmp_path / name).write_bytes(pack(TEXT.encode()))
    assert read_lines(tmp_path / name) == ("ein Hund", "zwei Köter")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TEXT.encode("utf-16"), "iconv -f utf-16 -t utf-8"),
        (TEXT.encode("utf-16-le"), "iconv -f utf-16le -t utf-8"),
        (TEXT.encode("utf-16-be"), "iconv -f utf-16be -t utf-8"),
        (CHINESE.encode("gb18030"), "iconv -f gb18030 -t utf-8"),
        ("昨天小貓看到蘋果。\n".encode("big5"), "iconv -f big5 -t utf-8"),
        ("私はりんごを食べる。\n".encode("shift_jis"), "iconv -f shift_jis -t utf-8"),
        ("私はりんごを食べる。\n".encode("euc-jp"), "iconv -f euc-jp -t utf-8"),
        ("Вчера кот увидел яблоко.\n".encode("cp1251"), "iconv -f windows-1251 -t utf-8"),
        ("zwei Köter, drei Gänse\n".encode("latin1"), "iconv -f latin1 -t utf-8"),
        ((TEXT + TEXT).encode("utf-32"), "iconv -f utf-32 -t utf-8"),
        ((TEXT + TEXT).encode("utf-32-le"), "iconv -f utf-32le -t utf-8"),
        ((CHINESE + CHINESE).encode("utf-16-le"), "iconv -f utf-16le -t utf-8"),
        ("一只狗在街上跑。\n他走。\n".encode("utf-16-le"), "iconv -f utf-16le -t utf-8"),  # 上 has the byte of LF
        ((CHINESE + CHINESE).encode("utf-16-be"), "iconv -f utf-16be -t utf-8"),
        ("私はりんごを食べる。\n".encode("iso-2022-jp"), "iconv -f iso-2022-jp -t utf-8"),
        ("Ο σκύλος τρέχει.\n".encode("cp1253"), "-f windows-1253 if it is Greek"),
        ("สุนัขวิ่งบนถนน\n".encode("tis-620"), "tis-620"),
        ("Pes běží, žlutý kůň\n".encode("cp1250"), "-f windows-1250 if it is of Central Europe"),
        (b"]\0\0\x80\0\xff\xff\xff\xff", "unlzma"),
        (gzip.compress(gzip.compress(TEXT.encode(), mtime=0), mtime=0), "compressed twice"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "7z x"),
        (b"\x04\x22\x4d\x18dd", "unlz4"),
        (gzip.compress(tar_of({"text": b"ein Hund\n"}), mtime=0), "a tar archive"),
        (b"%PDF-1.7\n%\xe2\xe3\n", "PDF"),
        (b'<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx>', "a translation memory"),
        (b"<!DOCTYPE html>\n", "a download that failed"),
        (b"PK\x03\x04\x14\0\0\0", "a zip archive; unpack it"),
        (b"\x28\xb5\x2f\xfd\x04\0", "Zstandard; unpack it"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n", "git lfs pull"),
        (b'<?xml version="1.0"?>\n<tmx version="1.4">\n', "XML"),
        (b'<tmx version="1.4">\n', "a translation memory"),
        (
            b'<srcset setid="x" srclang="any">\n',
            "only dev and test sets are read as SGML, by the suffix .sgm; of other",
        ),
        (b"ein Hund\rzwei\rdrei\r", "lines end in CR alone"),
        (b"ein Hund\rzwei", "lines end in CR alone"),
    ],
)
def test_what_is_no_such_text_is_refused_with_the_remedy(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_lines(path)
    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"translation": {"de": "ein Hund", "en": "a dog"}}\n', "JSON"),
        (b"ein Hund\ta dog\nzwei Hunde\ttwo dogs\n", "a table of 2 columns"),
    ],
)
def test_records_are_no_sentences(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError, match=said):
        check_sentences(tmp_path / "x")


def test_tabs_between_words_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"ein\tHund\nzwei\tHunde\n")
    check_sentences(tmp_path / "x")


def test_a_stray_carriage_return_is_white_space(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"a\rb\nc\r\n")
    assert read_lines(tmp_path / "x") == ("a b", "c")


def test_decomposed_letters_are_read_as_composed_ones(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("Ko\u0308ter u\u0308ber\n".encode())
    assert read_lines(tmp_path / "x") == ("Köter über",)
