"""Dev and test sets in NIST's SGML, as the evaluations of NIST and WMT give them out.

A file has a `<srcset>` of source documents or a `<refset>` of translations, those of several translators one after
the other (`sysid`). Documents have segments, by number. Tags may be of either case, attributes with or without quotes:

    <refset setid="mt02" srclang="Chinese" trglang="English">
    <DOC docid="AFP1" sysid="ref1"> <seg id=1> Text &amp; more </seg> ... </DOC>
"""

import html
import re
import unicodedata
from pathlib import Path

from stages.corpora.parallel import single_spaced
from stages.corpora.published import read_bounded
from stages.files.errors import InputError
from stages.files.formats import not_utf8
from stages.files.text import NORMAL_FORM, as_read

LIMIT = 100_000_000  # bytes of a file
SUFFIX = re.compile(r"\.sgml?(\.(gz|xz|bz2))?$", re.IGNORECASE)
TAG = re.compile(r"<\s*(/?)(srcset|refset|tstset|doc|seg)\b([^>]*)>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""([a-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)

Segments = dict[tuple[str, str], str]
"""Document and number of a segment -> its text, in the order of the file."""


def is_sgml(path: Path) -> bool:
    """Whether a file is to be read as SGML, by its suffix (.sgm or .sgml, perhaps .gz, .xz or .bz2 after it)."""
    return SUFFIX.search(path.name) is not None


def read_sets(
    sources: tuple[Path, ...], targets: tuple[Path, ...], tokenised: bool = False
) -> tuple[list[list[str]], list[list[str]]]:
    """The texts of both sides of a set, in the order of the first source file: one of each translator of each file.

    tokenised: only blanks and line ends part words, see `as_read`; in raw text all white space does.

    Raises:
        InputError: a file is no such SGML, or lacks a segment that the first source file has, or has an empty one.
    """
    source, target = ([one for path in paths for one in _read(path)] for paths in (sources, targets))
    order = list(source[0][1])

    def texts(side: list[tuple[str, Segments]]) -> list[list[str]]:
        return [[_segment(segments, key, name, tokenised) for key in order] for name, segments in side]

    return texts(source), texts(target)


def _read(path: Path) -> list[tuple[str, Segments]]:
    try:
        text = unicodedata.normalize(NORMAL_FORM, read_bounded(path, LIMIT).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise not_utf8(f"{path}: byte {error.start + 1}", error.object, error) from error
    found = parse(text.replace("\0", " "), str(path))
    return [(f"{path}, {system}" if system else str(path), segments) for system, segments in found.items()]


def _segment(segments: Segments, key: tuple[str, str], name: str, tokenised: bool) -> str:
    document, number = key
    line = as_read(re.sub(r"[\r\n]+", " ", html.unescape(segments.get(key, ""))), tokenised)
    text = single_spaced(line) if tokenised else " ".join(line.split())
    if not text:
        fault = "an empty" if key in segments else "no"
        raise InputError(f"{name}: {fault} segment {number} of document {document}; the first source file has it")
    return text


def parse(text: str, where: str) -> dict[str, Segments]:
    """Translator (`sysid`; "" if it is not named) -> segments, with entities and white space as they stand.

    Raises:
        InputError: a tag is not where it belongs, a segment stands there twice, or there is none.
    """
    found: dict[str, Segments] = {}
    document, system, number, begin = "", "", "", 0
    for match in TAG.finditer(text):
        opens, tag = not match[1], match[2].lower()
        given = {name.lower(): a or b or c for name, a, b, c in ATTRIBUTE.findall(match[3])}
        if number and (opens or tag != "seg"):
            raise _misplaced(text, match, where, f"{match[0]} within segment {number}, which must end before")
        if tag == "doc":
            document, system = (given.get("docid", ""), given.get("sysid", "")) if opens else ("", "")
            if opens and not document:
                raise _misplaced(text, match, where, "a document without docid")
        elif tag == "seg" and opens:
            number, begin = given.get("id", ""), match.end()
            if not (number and document):
                raise _misplaced(text, match, where, "a segment without id or outside a document")
            if (document, number) in found.get(system, {}):
                raise _misplaced(text, match, where, f"segment {number} of document {document} for the second time")
        elif tag == "seg":
            if not number:
                raise _misplaced(text, match, where, "no segment ends here")
            found.setdefault(system, {})[document, number] = text[begin : match.start()]
            number = ""
    if number or not found:
        raise InputError(f"{where}: cut off, or without <doc docid=…> and <seg id=…> in it; give NIST's SGML")
    return found


def _misplaced(text: str, match: re.Match[str], where: str, fault: str) -> InputError:
    return InputError(f"{where}, line {text.count(chr(10), 0, match.start()) + 1}: {fault}; correct the file")
