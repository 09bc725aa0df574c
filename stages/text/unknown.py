"""Unknown words of a translation replaced by what their attention points at (Jean et al. 2015; Mi et al. 2016)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import numpy as np

UnkReplace = Literal["none", "copy", "lexical", "lexical_lower"]
"""What stands in for an unknown word, see `replace_unknown`."""


def replace_unknown(
    target: Sequence[str],
    unknown: Collection[int],
    source: Sequence[str],
    attention: np.ndarray | None,
    rule: UnkReplace,
    best: Mapping[str, str],
) -> list[str]:
    """The target with every unknown word replaced by way of x_j*, j* = argmax_j alpha_ij.

    The weight of the source's end of sentence counts as 0 (LV_groundhog, replace_UNK.py).

    Args:
        target: T words, pieces merged.
        unknown: indices of the unknown ones.
        source: S words.
        attention: (T, S + 1), the last column is the end of sentence; None leaves everything as it is.
        rule: `copy` x_j*; `lexical`: its best translation, or a copy where there is none (Mi et al. 2016);
            `lexical_lower`: as `lexical` where x_j* begins in lower case, else a copy; `none` leaves everything.
        best: best translation of a source word.
    """
    if attention is None or rule == "none":
        return list(target)
    return [
        _translated(source[int(weights[:-1].argmax())], rule, best) if i in unknown else word
        for i, (word, weights) in enumerate(zip(target, attention, strict=True))
    ]


def _translated(word: str, rule: UnkReplace, best: Mapping[str, str]) -> str:
    looked_up = rule == "lexical" or (rule == "lexical_lower" and word[:1].islower())
    return best.get(word, word) if looked_up else word
