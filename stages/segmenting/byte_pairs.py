"""Byte pair encoding (Sennrich et al. 2016): merges learnt from counted words, and lines cut by them."""

import contextlib
import io
import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator

from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

from stages.files.errors import InputError
from stages.text.symbols import CONTINUES

REMEMBERED = 1_000_000
"""Different words, some 400 MB: memory does not grow with a file that is translated."""


def learn(counts: Counter[str], merges: int) -> str:
    """The codes file of subword-nmt with up to `merges` merges (fewer when no pair occurs twice).

    Raises:
        InputError: there is no pair of characters, or none that occurs twice.
    """
    if all(len(word) == 1 for word in counts):
        raise InputError("every word is a single character, there is nothing to merge; use segmentation: words")
    codes = io.StringIO()
    dictionary = [f"{word} {count}\n" for word, count in counts.items()]
    print(f"learning up to {merges} merges from {len(counts)} different words", flush=True)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):  # its bar is never cleared
        learn_bpe(dictionary, codes, merges, is_dict=True)
    if codes.getvalue().count("\n") < 2:  # the first line is the version
        raise InputError(
            "no two characters follow each other twice, there is nothing to merge; use segmentation: words"
        )
    return codes.getvalue()


class Segmenter:
    """Cuts lines of words into pieces; every word is cut once and remembered, but for `with_dropout`."""

    def __init__(self, codes: str, counts: Counter[str], threshold: int) -> None:
        self._codes = codes
        self._bpe = BPE(io.StringIO(codes), separator=CONTINUES)
        self._kept = self._vocabulary(counts, threshold) if threshold else None
        if threshold:
            self._bpe = BPE(io.StringIO(codes), separator=CONTINUES, vocab=self._kept)
        self._known: dict[str, str] = {}

    def segment(self, line: str) -> str:
        """`line` with every piece but the last of a word followed by the mark `CONTINUES`."""
        known = self._known
        if len(known) > REMEMBERED:
            known.clear()
            self._bpe.cache.clear()
        words = line.split(" ")
        for word in words:
            if word not in known:
                known[word] = self._bpe.segment(word)
        return " ".join([known[word] for word in words])

    def with_dropout(self, lines: Iterable[str], probability: float, seed: int) -> Iterator[str]:
        """The lines cut with merges left out at random (BPE-dropout), the same for the same seed.

        subword-nmt draws from Python's own generator, and remembers what it drew of a word, so that a later word cut
        without dropout would be cut so too: the cuts are of an object of their own.
        """
        bpe, outside = BPE(io.StringIO(self._codes), separator=CONTINUES, vocab=self._kept), random.getstate()
        random.seed(seed)
        try:
            yield from (bpe.segment(line, probability) for line in lines)
        finally:
            random.setstate(outside)

    def _vocabulary(self, counts: Counter[str], threshold: int) -> set[str]:
        pieces: Counter[str] = Counter()
        for word, count in counts.items():
            for piece in self._bpe.segment_tokens([word]):
                pieces[piece] += count
        return {piece for piece, count in pieces.items() if count >= threshold}
