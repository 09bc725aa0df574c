"""Raw Chinese -> words, with jieba.

Full-width letters, digits and punctuation become ASCII, as hand-aligned sets have them, and quotation marks straight.
jieba's cache, a file in the folder for temporary files that it would read back unchecked, is neither read nor written.
"""

import unicodedata
import warnings
from functools import cache
from typing import Any

from stages.text.detokenise import STRAIGHT


def straight(line: str) -> str:
    """`line` with straight quotation marks and apostrophes."""
    return line if line.isascii() else line.translate(STRAIGHT)


@cache
def _segmenter() -> Any:
    with warnings.catch_warnings():  # it has invalid escapes in its patterns, and asks for pkg_resources
        warnings.simplefilter("ignore")
        import jieba  # not at the top: most corpora do without
    segmenter = jieba.Tokenizer()
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter


def words(line: str) -> str:
    """The words of `line` with single blanks between them: of jieba's dictionary, else of its model of characters."""
    folded = straight(unicodedata.normalize("NFKC", line))
    return " ".join(" ".join(_segmenter().cut(folded)).split())
