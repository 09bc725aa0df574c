"""Translation edit rate (Snover et al. 2006) as tercom and sacrebleu compute it, case-insensitive, from rows.

Edits are insertions, deletions and substitutions of a word and shifts of a span of words, 1 each, looked for greedily.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from sacrebleu.metrics import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from stages.measures.edit_distance import EditDistance
from stages.measures.ratio import ratio
from stages.measures.shifts import MAX_TRIED, best_shift


class Counts(NamedTuple):
    edits: int  # to the reference that needs fewest
    reference_words: float  # mean over the references


Tokeniser = Callable[[str], str]

LAST_SPACED = "\u052f"
"""The last letter of Latin, Greek and Cyrillic."""
MARKS = ("Mn", "Mc", "Me")
"""Unicode's categories of marks: with the letter before them they are one character."""


def tokeniser(normalized: bool, characters: bool = False) -> Tokeniser:
    """What `statistics` needs. Words are parted at spaces; `normalized` parts punctuation from words before, nearly as
    sacrebleu's 13a does: for text that is detokenised. `characters`: with sacrebleu's support of Asian text, and every
    other letter beyond Latin, Greek and Cyrillic is a word too: for text that is written without blanks."""
    parted = TercomTokenizer(normalized=normalized, asian_support=characters)
    return (lambda text: parted(_letters(text))) if characters else parted


def _letters(text: str) -> str:
    """`text` with a blank before every letter of a script without blanks, and between it and a Latin word."""
    apart = "".join(
        f" {char}" if char > LAST_SPACED and char.isalpha() and unicodedata.category(char) not in MARKS else char
        for char in text
    )
    return re.sub(f"(?<=[^\0-{LAST_SPACED}])(?=[0-9A-Za-z])", " ", apart)


def signature(normalized: bool, references: int, characters: bool = False) -> str:
    """sacrebleu's signature of what `of_totals` computes with that many references a sentence."""
    scorer = TER(normalized=normalized, asian_support=characters, references=[[""]] * references)
    return str(scorer.get_signature())


def statistics(hypothesis: str, references: Sequence[str], tokeniser: Tokeniser) -> Counts:
    """Counts of one sentence."""
    words, *many = (tokeniser(text.rstrip()).split() for text in (hypothesis, *references))
    return Counts(_fewest_edits(words, many), sum(map(len, many)) / len(many))


def _fewest_edits(words: list[str], references: list[list[str]]) -> int:
    """Edits to the reference that needs fewest. Words that only one side has cannot be shifted away: a reference that
    has too many of them is left out unsearched."""
    counts = Counter(words)

    def least(reference: list[str]) -> int:
        return max(len(words), len(reference)) - (counts & Counter(reference)).total()

    first, *others = sorted(references, key=least)
    fewest = _edits(words, first)
    for reference in others:
        if least(reference) < fewest:
            fewest = min(fewest, _edits(words, reference))
    return fewest


def _edits(words: list[str], reference: list[str]) -> int:
    """Edits to one reference: the best shift again and again, as long as it lowers the edit distance."""
    shifts = tried = 0
    while True:
        distance = EditDistance(words, reference)
        gain, shifted, tried = best_shift(words, reference, distance, tried)
        if gain <= 0 or tried >= MAX_TRIED:
            return shifts + distance.cost
        words, shifts = shifted, shifts + 1


def of_totals(totals: np.ndarray) -> np.ndarray:
    """totals: (..., 2) summed `Counts` -> percent (...), lower is better.

    Without reference words as in sacrebleu: 100 if there are edits, 0 if there are none.
    """
    edits, reference_words = np.moveaxis(np.asarray(totals, float), -1, 0)
    return 100 * np.where(reference_words > 0, ratio(edits, reference_words), edits > 0)
