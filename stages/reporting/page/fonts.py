"""The packaged fonts of the figures, cut down to the characters of a page, as a part of its style."""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools import subset

from stages.reporting.fonts import is_east_asian, packaged
from stages.reporting.sentence_sets import SentenceSet

COPYRIGHT = [0, 7, 8, 11, 13, 14]
"""Of a font's names: copyright, trademark, maker and its address, licence and its address."""

FIRST_SHAPED, LAST_SHAPED = 0x0900, 0x0E7F
"""Code points of Indic scripts and Thai, whose letters change with their neighbours."""


def cut_down(texts: Iterable[str]) -> Iterator[bytes]:
    """The fonts that have characters of `texts` which fonts for Latin, Greek and Cyrillic lack, each with these alone,
    as WOFF. The first that has a character gets it.

    Copyright and licence stay in them. The same characters give the same bytes.
    """
    codes = {code for text in texts if not text.isascii() for code in map(ord, set(text))}
    left = {code for code in codes if is_east_asian(code) or FIRST_SHAPED <= code <= LAST_SHAPED}
    for path in packaged():
        if left and (written := _cut(path, left)):
            yield written


def _cut(path: Path, left: set[int]) -> bytes | None:
    """The font with the characters of `left` alone, which are taken out of `left`; None if it has none of them."""
    options = subset.Options(flavor="woff", layout_features=[], hinting=False, name_IDs=COPYRIGHT, notdef_outline=True)
    with subset.load_font(str(path), options) as font:
        found = left & font.getBestCmap().keys()
        if not found:
            return None
        if any(FIRST_SHAPED <= code <= LAST_SHAPED for code in found):
            options.layout_features = ["*"]
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=found)
        cutter.subset(font)
        written = BytesIO()
        subset.save_font(font, written, options)
    left -= found
    return written.getvalue()


FAMILY = "Report East Asian"
"""As style.css calls it, after the fonts that a machine may have."""


def font_face(data: Mapping[str, Any], sets: Sequence[SentenceSet], sentences: int) -> str:
    """CSS with the packaged fonts cut down to the characters of the page, which has the first `sentences` of every set;
    empty if they have none of them."""
    encoded = [base64.b64encode(font).decode() for font in cut_down(_texts(data, sets, sentences))]
    return "".join(
        f'@font-face {{ font-family: "{FAMILY}"; src: url(data:font/woff;base64,{each}) format("woff"); }}\n'
        for each in encoded
    )


def _texts(data: Mapping[str, Any], sets: Sequence[SentenceSet], sentences: int) -> Iterator[str]:
    yield json.dumps({name: part for name, part in data.items() if name != "figures"}, ensure_ascii=False)
    for one in sets:
        yield from one.source[:sentences]
        for references in one.references[:sentences]:
            yield from references
        for side in one.sides.values():
            for translation in side.translations[:sentences]:
                yield " ".join(translation.target)
