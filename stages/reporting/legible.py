"""How large a figure may become: whatever a user's text holds, it is drawn in bounded memory and can be read."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

PIXELS = 20_000_000
"""Of a figure. Drawing one takes up to 50 bytes for each: a gigabyte."""
COARSEST_DPI = 72
"""Dots per inch at which words of 8 points can still be read."""
LETTERS = 40
"""Of a word, with the mark that it was cut: a line without blanks is one word."""
PANELS = 80
"""Of one figure, where there is one a word."""


def bounded_dpi(inches: Sequence[float] | np.ndarray, dpi: float) -> float:
    """`dpi`, or as many dots per inch as `PIXELS` leave for a figure of that width and height."""
    return min(dpi, sqrt(PIXELS / (inches[0] * inches[1])))


def words_a_side(panels: int, cell: float) -> int:
    """How many words a side so many square panels may have; cell: inches that a word takes."""
    return max(1, int(sqrt(PIXELS / panels) / (COARSEST_DPI * cell)))


def label_of(word: str) -> str:
    """The word, or its beginning if it is longer than any label has room for."""
    return word if len(word) <= LETTERS else f"{word[: LETTERS - 1]}…"


def left_out(shown: int, source: Sequence[str], targets: Sequence[Sequence[str]]) -> str:
    """What a caption adds where only the first `shown` words of a side are drawn; nothing where all are."""
    longest = max(map(len, targets), default=0)
    if max(len(source), longest) <= shown:
        return ""
    return f" · the first {shown} of {len(source):,} source and up to {longest:,} target words"
