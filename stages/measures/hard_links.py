"""Soft attention -> at most one link per target word (the highest weight, as Xue 2019 and presumably Kuang 2018)."""

import numpy as np

from stages.files.links import Link
from stages.settings.scoring import EosPolicy

NO_LINK = -1


def strongest(attention: np.ndarray, eos: EosPolicy) -> np.ndarray:
    """Source word with the highest weight, per target word; the first of equals.

    attention: (T, S + 1), word level, rows = target words WITHOUT the target's end of sentence, last column = the
    source's end of sentence. Returns (T,) integers in [0, S) or NO_LINK.
    `drop`: a target word whose highest weight lies on the end of sentence has no link. `renorm`: the end of sentence
    is left out of the comparison. With either, a row without any weight on what is compared has no link.
    """
    words = attention.shape[1] - 1
    compared = attention if eos == "drop" else attention[:, :words]
    if compared.size == 0:
        return np.full(attention.shape[0], NO_LINK)
    best = compared.argmax(axis=1)
    return np.where((best < words) & (compared.max(axis=1) > 0), best, NO_LINK)


def link_set(best: np.ndarray) -> frozenset[Link]:
    """(T,) source word per target word, as `strongest` gives it -> set of links."""
    return frozenset((s, t) for t, s in enumerate(best.tolist()) if s != NO_LINK)
