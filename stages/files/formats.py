"""What a file is by its first bytes, whatever its name says, and in which encoding bytes that are not UTF-8 may be."""

import re

from stages.files.errors import InputError

GZIP, XZ, BZIP2 = b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh"
"""Of files that are decompressed while they are read."""

OTHERS = {
    "gb18030": ", or -f euc-kr if it is Korean, tis-620 if it is Thai",
    "windows-1251": ", or -f koi8-r, and -f windows-1253 if it is Greek, -1255 Hebrew, -1256 Arabic, tis-620 Thai",
    "latin1": ", or -f windows-1250 if it is of Central Europe, windows-1254 Turkish, windows-1257 Baltic",
}
"""Encodings of other languages that cannot be told from the one that is guessed."""
LONE_CR = re.compile(rb"\r(?![\r\n]|$)")
TABLE = "take one column for each language (`cut -f1`, `cut -f2`)"
SENTENCES = "take the sentences out of it, one a line and a file a language"
SGML = "only dev and test sets are read as SGML, by the suffix .sgm; of other text take the sentences out, one a line"
FORMATS = {
    b"PK\x03\x04": ("a zip archive", "unpack it (`unzip`) and name the file of text in it"),
    b"PK\x05\x06": ("an empty zip archive", "name a file of text"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it (`7z x`) and name the file of text in it"),
    b"Rar!": ("a RAR archive", "unpack it (`unrar x`) and name the file of text in it"),
    b"\x28\xb5\x2f\xfd": ("compressed by Zstandard", "unpack it (`unzstd`), or compress it with gzip or xz"),
    b"\x04\x22\x4d\x18": ("compressed by LZ4", "unpack it (`unlz4`), or compress it with gzip or xz"),
    b"\x1f\x9d": ("compressed by compress", "unpack it (`uncompress`), or compress it with gzip or xz"),
    b"]\0\0": ("compressed by LZMA", "unpack it (`unlzma`), or compress it with gzip or xz"),
    **dict.fromkeys((GZIP, XZ, BZIP2 + b"9"), ("compressed twice", "unpack it once")),
    b"%PDF": ("PDF", SENTENCES),
    **dict.fromkeys((b"PAR1", b"ARROW1"), ("a table of Parquet or Arrow", SENTENCES)),
    b"\xff\xfe\0\0": ("UTF-32", "convert it: `iconv -f utf-32 -t utf-8`"),
    b"\0\0\xfe\xff": ("UTF-32", "convert it: `iconv -f utf-32 -t utf-8`"),
    b"\xff\xfe": ("UTF-16", "convert it: `iconv -f utf-16 -t utf-8`"),
    b"\xfe\xff": ("UTF-16", "convert it: `iconv -f utf-16 -t utf-8`"),
    b"version https://git-lfs": ("a pointer of Git LFS, not the file", "fetch the file: `git lfs pull`"),
    b"/annex/objects/": ("a pointer of git-annex, not the file", "fetch the file: `git annex get`"),
    b"<?xml": ("XML", SENTENCES),
    **dict.fromkeys((b"<srcset", b"<refset", b"<tstset"), ("SGML", SGML)),
    **dict.fromkeys((b"<tmx", b"<!doctype tmx"), ("TMX, a translation memory", SENTENCES)),
    **dict.fromkeys(
        (b"<!doctype html", b"<html"), ("a page of HTML, perhaps of a download that failed", "fetch it anew")
    ),
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
        if start.startswith(first) or (first.islower() and start[: len(first)].lower() == first):
            raise InputError(f"{name}: the file is {what}; {remedy}")
    if line[257:262] == b"ustar":
        raise InputError(f"{name}: the file is a tar archive; unpack it (`tar xf`) and name the file of text in it")
    if 3 * (nul := line.count(b"\0")) > len(line) and 4 * nul <= 3 * len(line) + 4:
        form = "utf-16" if nul * 3 < 2 * len(line) else "utf-32"
        raise _unicode(name, form + ("be" if line.startswith(b"\0") else "le"))
    if b"\x1b$" in line:
        raise InputError(f"{name}: the file is in ISO-2022-JP; convert it: `iconv -f iso-2022-jp -t utf-8`")
    breaks = len(LONE_CR.findall(line))
    if breaks > 2 or (breaks and not line.endswith(b"\n")):
        raise InputError(
            f"{name}: its lines end in CR alone, as on old Macs, so that it would be read as one line; convert it: "
            "`tr '\\r' '\\n'`"
        )


def refuse_records(first: bytes, second: bytes, name: str) -> None:
    """Raise an InputError if the first two lines of a user's file show records: JSON, or columns with tabs between."""
    if first.startswith((b'{"', b'[{"')):
        raise InputError(f"{name}: the file is JSON; {SENTENCES}")
    columns = [line.strip().split(b"\t") for line in (first, second)]
    if len(columns[0]) == len(columns[1]) > 1 and all(
        all(cells) and any(b" " in cell.strip() for cell in cells) for cells in columns
    ):
        raise InputError(f"{name}: the file is a table of {len(columns[0])} columns with tabs between; {TABLE}")


def refuse_utf16(start: bytes, name: str) -> None:
    """Raise an InputError if the beginning of a file that is not UTF-8 holds NUL, as line ends of UTF-16 do."""
    if b"\0" in start:
        units = [start[k : k + 2] for k in range(0, len(start), 2)]
        raise _unicode(name, "utf-16be" if b"\0\n" in units else "utf-16le")


def _unicode(name: str, form: str) -> InputError:
    return InputError(f"{name}: the file is {form[:6].upper()}; convert it: `iconv -f {form} -t utf-8`")


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
    others = OTHERS.get(encoding, "")
    return InputError(
        f"{where} (0x{line[error.start]:02x}) is not UTF-8; convert the file, e.g. with iconv -f {encoding} -t utf-8"
        f"{others}"
    )
