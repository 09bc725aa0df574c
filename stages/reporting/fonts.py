"""Fonts of the figures: DejaVu Sans (comes with matplotlib) and, for the characters it lacks, Noto Sans SC.

Noto Sans SC (SIL Open Font License 1.1) is installed as a Python package, so Chinese is drawn on a machine that has no
Chinese font and no network. The report page carries what it needs of it.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache
from io import BytesIO

import pylopdf_fonts_zh_cn
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties, findfont, fontManager

LATIN = "DejaVu Sans"

OF_OTHER_SCRIPTS = tuple(
    f"Noto Sans {name}"
    for name in ("KR", "CJK KR", "JP", "CJK JP", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam",
                 "Gujarati", "Gurmukhi", "Thai", "Lao", "Khmer", "Myanmar", "Hebrew", "Arabic", "Ethiopic")
)  # fmt: skip
"""Used for what the first two lack, where the machine has them."""

BOX = "□"
"""Stands for a character that cannot be drawn."""

EAST_ASIAN = (
    (0x2E80, 0xA4CF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Code points that fonts for Latin, Greek and Cyrillic lack: characters, kana, Hangul, their punctuation and widths."""

COPYRIGHT = [0, 7, 8, 11, 13, 14]
"""Of a font's names: copyright, trademark, maker and its address, licence and its address."""


@cache
def families() -> tuple[str, ...]:
    """Register the Chinese font with matplotlib and return the fall-back order of font families."""
    path = str(pylopdf_fonts_zh_cn.sans_path())
    fontManager.addfont(path)
    installed = set(fontManager.get_font_names())
    return LATIN, FontProperties(fname=path).get_name(), *(name for name in OF_OTHER_SCRIPTS if name in installed)


@cache
def _drawn() -> frozenset[int]:
    """The code points that a font of `families` has."""
    paths = [findfont(FontProperties(family=name), fallback_to_default=False) for name in families()]
    codes: set[int] = set()
    for path in paths:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            codes.update(font.getBestCmap())
    return frozenset(codes)


def drawable(text: str) -> str:
    """`text` with a box for every character that no font here has, and without the marks that go with it."""
    if text.isascii() or all(ord(char) in _drawn() for char in text):
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if ord(char) in _drawn():
        return char
    return "" if unicodedata.category(char)[0] in "MC" else BOX


def undrawn_scripts(texts: Iterable[str]) -> list[str]:
    """The scripts, as Unicode's names of characters begin, of which `texts` have some that no font here has."""
    missing = {char for text in texts if not text.isascii() for char in text if ord(char) not in _drawn()}
    return sorted({unicodedata.name(char, "OTHER").split()[0].capitalize() for char in missing if _shown(char)})


def no_font(texts: Iterable[str]) -> str:
    """What a caption adds where boxes stand for characters; nothing where all are drawn."""
    scripts = undrawn_scripts(texts)
    return f" · no font here has {', '.join(scripts)} ({BOX})" if scripts else ""


def is_cjk(text: str) -> bool:
    """Whether every character is `EAST_ASIAN`, so that the text may be written from top to bottom."""
    return bool(text) and all(_is_east_asian(ord(char)) for char in text)


def cut_down(texts: Iterable[str]) -> bytes | None:
    """The Chinese font with the East Asian characters of `texts` alone, as WOFF; None where they have none.

    Copyright and licence stay in it. The same characters give the same bytes.
    """
    wanted = {code for text in texts for code in map(ord, set(text)) if _is_east_asian(code)}
    if not wanted:
        return None
    options = subset.Options(flavor="woff", layout_features=[], hinting=False, name_IDs=COPYRIGHT, notdef_outline=True)
    with subset.load_font(str(pylopdf_fonts_zh_cn.sans_path()), options) as font:
        if not wanted & font.getBestCmap().keys():
            return None
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=wanted)
        cutter.subset(font)
        written = BytesIO()
        subset.save_font(font, written, options)
    return written.getvalue()


def _is_east_asian(code: int) -> bool:
    return any(first <= code <= last for first, last in EAST_ASIAN)
