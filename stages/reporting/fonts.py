"""Fonts of the figures: DejaVu Sans (comes with matplotlib) and, for the characters it lacks, Noto Sans SC.

Noto Sans SC (SIL Open Font License 1.1) is installed as a Python package, so Chinese is drawn on a machine that has no
Chinese font and no network. `make fonts` adds packages for other scripts. The report page carries what it needs of
them, see `stages.reporting.page.fonts`.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pylopdf_fonts_zh_cn
from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties, findfont, fontManager

LATIN = "DejaVu Sans"

PACKAGES = {
    "Hangul": "pylopdf_fonts_ko",
    "Devanagari": "pylopdf_fonts_hi",
    "Thai": "pylopdf_fonts_th",
    "Tamil": "fontpkg_noto_sans_tamil",
}
"""Script -> the package with a font for it that `make fonts` installs."""

OF_OTHER_SCRIPTS = (
    *(f"Noto Sans {name}"
      for name in ("KR", "CJK KR", "JP", "CJK JP", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam",
                   "Gujarati", "Gurmukhi", "Sinhala", "Oriya", "Thai", "Lao", "Khmer", "Myanmar", "Ethiopic")),
    "Noto Serif Tibetan", "NanumGothic", "UnDotum", "Apple SD Gothic Neo", "Lohit Devanagari", "Lohit Tamil", "Garuda",
    "FreeSans", "FreeSerif", "Arial Unicode MS", "Unifont",
)  # fmt: skip
"""Used for what these lack, where the machine has them."""

BOX = "□"
"""Stands for a character that cannot be drawn."""

EAST_ASIAN = (
    (0x2E80, 0xA4CF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""Code points that fonts for Latin, Greek and Cyrillic lack: characters, kana, Hangul, their punctuation and widths."""


@cache
def packaged() -> tuple[Path, ...]:
    """The fonts in Python packages: the Chinese one, and those of `PACKAGES` that are installed."""
    found = [spec for name in PACKAGES.values() if (spec := find_spec(name)) is not None]
    folders = [Path(folder) for spec in found for folder in spec.submodule_search_locations or ()]
    return pylopdf_fonts_zh_cn.sans_path(), *(path for each in folders for path in sorted(each.rglob("NotoSans*.?tf")))


@cache
def families() -> tuple[str, ...]:
    """Register the packaged fonts with matplotlib and return the fall-back order of font families."""
    for path in packaged():
        fontManager.addfont(str(path))
    names = [FontProperties(fname=str(path)).get_name() for path in packaged()]
    installed = set(fontManager.get_font_names())
    return LATIN, *names, *(name for name in OF_OTHER_SCRIPTS if name in installed and name not in names)


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
    """The scripts, as Unicode's names of letters begin, of which `texts` have some that no font here has; and `symbols`
    where these have no font."""
    missing = {char for text in texts if not text.isascii() for char in text if ord(char) not in _drawn()}
    return sorted({_script(char) for char in missing if _shown(char)})


def _script(char: str) -> str:
    name = unicodedata.name(char, "OTHER").split()[0].capitalize()
    if not char.isalnum() and name not in PACKAGES:
        return "symbols"
    return "Han" if name == "Cjk" else name


def no_font(texts: Iterable[str]) -> str:
    """That boxes stand for characters, and what helps; nothing where all are drawn."""
    scripts = undrawn_scripts(texts)
    if not scripts:
        return ""
    remedy = "; `make fonts` installs one" if PACKAGES.keys() & scripts else ""
    return f"no font here has {', '.join(scripts)} ({BOX}){remedy}"


def is_cjk(text: str) -> bool:
    """Whether every character is `EAST_ASIAN`, so that the text may be written from top to bottom."""
    return bool(text) and all(is_east_asian(ord(char)) for char in text)


def is_east_asian(code: int) -> bool:
    """Whether a code point is `EAST_ASIAN`."""
    return any(first <= code <= last for first, last in EAST_ASIAN)
