"""Sub-word pieces and the words that they spell."""

from bisect import bisect_right
from collections.abc import Sequence

from stages.text.symbols import CONTINUES, SPECIAL, UNKNOWN


def has_marks(line: str) -> bool:
    """Whether a word of the line ends in the mark, as if it went on, or is what fairseq has beside words."""
    cut = line.endswith(CONTINUES) or f"{CONTINUES} " in line
    return cut or ("<" in line and not SPECIAL.isdisjoint(line.split(" ")))


def word_starts(pieces: Sequence[str]) -> list[int]:
    """Index of the first piece of every word. The last piece always ends a word, even if it says it goes on."""
    return [i for i in range(len(pieces)) if i == 0 or not pieces[i - 1].endswith(CONTINUES)]


def merge_pieces(pieces: Sequence[str]) -> list[str]:
    """The words that the pieces spell, as many as `word_starts` gives."""
    starts = word_starts(pieces)
    ends = [*starts[1:], len(pieces)]
    return [
        "".join(piece.removesuffix(CONTINUES) for piece in pieces[start:end])
        for start, end in zip(starts, ends[: len(starts)], strict=True)
    ]


def unknown_words(pieces: Sequence[str]) -> frozenset[int]:
    """Indices of the words with a piece that the dictionary lacks. A word that several pieces spell so is text."""
    starts = word_starts(pieces)
    return frozenset(bisect_right(starts, i) - 1 for i, piece in enumerate(pieces) if piece == UNKNOWN)
