"""Unknown words of a translation replaced by what their attention points at (Jean et al. 2015; Mi et al. 2016)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

UnkReplace = Literal["none", "copy", "lexical", "lexical_lower"]
"""What stands in for an unknown word, see `replace_unknown`."""


def attended_by(unknown: Iterable[int], attention: np.ndarray) -> dict[int, int]:
    """Unknown target word -> the source word that it attends to most, j* = argmax_j alpha_ij, in their order.

    attention: (T, S + 1), the last column is the end of sentence, whose weight counts as 0 (LV_groundhog,
    replace_UNK.py).
    """
    return {i: int(attention[i, :-1].argmax()) for i in sorted(unknown)}


def replace_unknown(
    target: Sequence[str], attended: Mapping[int, int], source: Sequence[str], rule: UnkReplace, best: Mapping[str, str]
) -> list[str]:
    """The target with the unknown words replaced by way of the source word x_j* that each attends to most.

    Args:
        target: T words, pieces merged.
        attended: unknown word -> j*; one without it stays.
        source: S words.
        rule: `copy` x_j*; `lexical`: its best translation, or a copy where there is none (Mi et al. 2016);
            `lexical_lower`: as `lexical` where x_j* begins in lower case, else a copy; `none` leaves everything.
        best: best translation of a source word.
    """
    if rule == "none":
        return list(target)
    return [_translated(source[attended[i]], rule, best) if i in attended else word for i, word in enumerate(target)]


def _translated(word: str, rule: UnkReplace, best: Mapping[str, str]) -> str:
    looked_up = rule == "lexical" or (rule == "lexical_lower" and word[:1].islower())
    return best.get(word, word) if looked_up else word
