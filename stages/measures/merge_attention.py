"""Attention between sub-word pieces -> attention between words (Koehn & Knowles 2017, section 3.5)."""

from collections.abc import Sequence

import numpy as np


def merge_attention(attention: np.ndarray, source_starts: Sequence[int], target_starts: Sequence[int]) -> np.ndarray:
    """Sum over the pieces of a source word, average over the pieces of a target word.

    attention: (T pieces, S pieces), row = target piece. `source_starts`, `target_starts`: index of the first piece of
    each word, rising from 0. Returns (T words, S words); a row that summed to 1 still does.
    Raises ValueError if the starts do not fit the matrix.
    """
    if attention.ndim != 2:
        raise ValueError(f"attention must be a matrix, not of shape {attention.shape}")
    rows, columns = _sizes(target_starts, attention.shape[0]), _sizes(source_starts, attention.shape[1])
    if 0 in (len(rows), len(columns)):
        return np.zeros((len(rows), len(columns)))
    words = np.add.reduceat(np.add.reduceat(attention, source_starts, axis=1), target_starts, axis=0)
    return words / rows[:, None]


def _sizes(starts: Sequence[int], pieces: int) -> np.ndarray:
    """Pieces per word (words,)."""
    sizes = np.diff([*starts, pieces])
    if (len(starts) == 0) != (pieces == 0) or (len(starts) and starts[0] != 0) or (sizes < 1).any():
        raise ValueError(f"word starts {list(starts)} do not cover {pieces} pieces")
    return sizes[: len(starts)]
