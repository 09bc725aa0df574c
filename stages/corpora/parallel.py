"""Pairs of sentences and sets of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from stages.files.links import BETWEEN
from stages.files.text import OUTER, kept_whole


class Sentence(NamedTuple):
    """A pair of sentences: words separated by single blanks, and POS tags (one a word) where the corpus has them."""

    source: str
    target: str
    source_tags: str | None = None
    target_tags: str | None = None


@dataclass(frozen=True)
class ParallelSet:
    """A held-out set with its references for BLEU: reference k of a side has one line a sentence."""

    sentences: tuple[Sentence, ...]
    source_references: tuple[tuple[str, ...], ...]
    target_references: tuple[tuple[str, ...], ...]


def single_spaced(line: str) -> str:
    """`line` with one blank between its words: blanks and tabs part words, and nothing else does, in any reader."""
    if line.isprintable() and "  " not in line:  # no white space but single blanks: the usual case, and much faster
        return line.strip()
    return BETWEEN.sub(" ", kept_whole(line.strip(OUTER)))


def length(line: str) -> int:
    """Number of words of a single-spaced line."""
    return line.count(" ") + 1


def own_references(sentences: Iterable[Sentence]) -> ParallelSet:
    """A set whose references are its own tokenised text."""
    pairs = tuple(sentences)
    return ParallelSet(pairs, (tuple(pair.source for pair in pairs),), (tuple(pair.target for pair in pairs),))
