"""Fonts of the figures: DejaVu Sans (comes with matplotlib) and, for the characters it lacks, Noto Sans SC.

Noto Sans SC (SIL Open Font License 1.1) is installed as a Python package, so Chinese is drawn on a machine that has no
Chinese font and no network. The report page carries what it needs of it.
"""

from collections.abc import Iterable
from functools import cache
from io import BytesIO

import pylopdf_fonts_zh_cn
from fontTools import subset
from matplotlib.font_manager import FontProperties, fontManager

LATIN = "DejaVu Sans"

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
    return LATIN, FontProperties(fname=path).get_name()


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
