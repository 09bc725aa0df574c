"""The fonts of what a reader's machine may have no font for, as a part of the page's style."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.reporting.page.cut_fonts import cut_down
from stages.reporting.sentence_sets import SentenceSet

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
