"""Fonts of the figures: DejaVu Sans (comes with matplotlib) and, for the characters it lacks, Noto Sans SC.

Noto Sans SC (SIL Open Font License 1.1) is installed as a Python package, so Chinese is drawn on a machine that has no
Chinese font and no network.
"""

from functools import cache

import pylopdf_fonts_zh_cn
from matplotlib.font_manager import FontProperties, fontManager

LATIN = "DejaVu Sans"


@cache
def families() -> tuple[str, ...]:
    """Register the Chinese font with matplotlib and return the fall-back order of font families."""
    path = str(pylopdf_fonts_zh_cn.sans_path())
    fontManager.addfont(path)
    return LATIN, FontProperties(fname=path).get_name()


def is_cjk(text: str) -> bool:
    """Whether every character is a Chinese ideograph, so that the text may be written from top to bottom."""
    return bool(text) and all("\u3400" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff" for char in text)
