"""What a file is by its first bytes, whatever its name says, and in which encoding bytes that are not UTF-8 may be."""

import re

from stages.files.errors import InputError

GZIP, XZ, BZIP2 = b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh"
"""Of files that are decompressed while they are read."""

LONE_CR = re.compile(rb"\r(?![\r\n]|$)")
FORMATS = {
    b"PK\x03\x04": ("a zip archive", "unpack it (`unzip`) and name the file of text in it"),
    b"\x28\xb5\x2f\xfd": ("compressed by Zstandard", "unpack it (`unzstd`), or compress it with gzip or xz"),
    b"\xff\xfe": ("UTF-16", "convert it: `iconv -f utf-16 -t utf-8`"),
    b"\xfe\xff": ("UTF-16", "convert it: `iconv -f utf-16 -t utf-8`"),
    b"version https://git-lfs": ("a pointer of Git LFS, not the file", "fetch the file: `git lfs pull`"),
    b"<?xml": ("XML", "take the sentences out of it, one a line"),
    b"<tmx": ("TMX, a translation memory", "take the sentences out of it, one a line and a file a language"),
}
"""First bytes -> what such a file is, and what to do."""


def refuse(line: bytes, name: str) -> None:
    """Raise an InputError that says what the file is if its first line shows that it is no text of a sentence a line.

    `line`: with its line end, if the file has one there.
    """
    start = line.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t")
    if start.startswith(b"<?xml") and b"<tmx" in start:
        start = b"<tmx"
    for first, (what, remedy) in FORMATS.items():
        if start.startswith(first):
            raise InputError(f"{name}: the file is {what}; {remedy}")
    if len(line) < 3 * line.count(b"\0") < 2 * len(line):
        order = "le" if line[1:2] == b"\0" else "be"
        raise InputError(f"{name}: the file is UTF-16; convert it: `iconv -f utf-16{order} -t utf-8`")
    breaks = len(LONE_CR.findall(line))
    if breaks > 2 or (breaks and not line.endswith(b"\n")):
        raise InputError(
            f"{name}: its lines end in CR alone, as on old Macs, so that it would be read as one line; convert it: "
            "`tr '\\r' '\\n'`"
        )


def encoding_of(line: bytes) -> str:
    """Which encoding bytes that are not UTF-8 are most likely in, as iconv calls it."""
    if re.search(rb"[\x81-\x9f][\x40-\xfc]", line) and _reads(line, "shift_jis"):
        return "shift_jis"
    runs = re.findall(rb"[\x80-\xff]+", line)
    pairs = [run[k : k + 2] for run in runs for k in range(0, len(run), 2)]
    if all(len(pair) == 2 and min(pair) > 0xA0 for pair in pairs) and _reads(line, "gb18030"):
        if sum(pair[0] in (0xA4, 0xA5) for pair in pairs) * 3 > len(pairs):
            return "euc-jp"
        if sum(0xA1 <= pair[0] <= 0xD7 for pair in pairs) * 4 >= 3 * len(pairs):
            return "gb18030"
    if _reads(line, "big5") and sum(0xA1 <= char <= 0xC9 for char in line) * 3 > len(line):
        return "big5"
    if max(map(len, runs), default=0) > 3:
        return "windows-1251"
    return "latin1"


def _reads(line: bytes, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def not_utf8(where: str, line: bytes, error: UnicodeDecodeError) -> InputError:
    """That a line, or a file, could not be decoded, and how to convert it."""
    encoding = encoding_of(line)
    other = ", or -f euc-kr if it is Korean" if encoding == "gb18030" else ""
    return InputError(
        f"{where} (0x{line[error.start]:02x}) is not UTF-8; convert the file, e.g. with iconv -f {encoding} -t utf-8"
        f"{other}"
    )
