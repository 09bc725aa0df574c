"""A user's own files."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.nist_sgml import is_sgml, read_sets
from stages.corpora.parallel import ParallelSet, Sentence, single_spaced
from stages.corpora.raw_corpus import Corpus, whole
from stages.corpora.tokenise import plain_spaces, tokeniser
from stages.files.errors import InputError
from stages.files.text import check_counts, check_sentences, iter_parallel, kept_whole, read_lines
from stages.settings.corpora import LocalGold, LocalSet, LocalSettings


def load(settings: LocalSettings) -> Corpus:
    """The corpus of `settings`; the training text is read only while it is iterated over.

    Raises:
        InputError: any fault of a file (see `stages.files.text`) or a gold link outside its sentence pair, with file
            and line; a set without sentences; a file of two sets, or twice in one; text that would have to be tokenised
            but is written without blanks.
    """
    _check_files(settings)
    words = Words(settings.source, settings.target, settings.tokenised)
    return Corpus(
        train=whole(TextPairs(*settings.train, words, allow_empty=True)),
        dev=_read_set(settings.dev, words),
        tests={name: _read_set(files, words) for name, files in settings.tests.items()},
        gold=None if settings.gold is None else read_gold_set(settings.gold),
        tokenised=settings.tokenised,
        held_out=0,
    )


class Words:
    """Turns a pair of lines into a pair of sentences: single-spaced, Moses-tokenised first unless `tokenised`.

    spaces: what is done to the white space of a reference.
    """

    def __init__(self, source: str, target: str, tokenised: bool) -> None:
        self._source = single_spaced if tokenised else tokeniser(source)
        self._target = single_spaced if tokenised else tokeniser(target)
        self.tokenised = tokenised
        self.spaces = kept_whole if tokenised else plain_spaces

    def __call__(self, source: str, target: str) -> Sentence:
        return Sentence(self._source(source), self._target(target))


@dataclass(frozen=True)
class TextPairs:
    """Two parallel files as sentences; every iteration streams the files anew.

    allow_empty: whether a side may be empty, as in training text, whose filter drops such pairs.
    """

    source: Path
    target: Path
    words: Words
    allow_empty: bool = False

    def __iter__(self) -> Iterator[Sentence]:
        number = 0
        pairs = iter_parallel(self.source, self.target, allow_empty=self.allow_empty, tokenised=self.words.tokenised)
        for number, lines in enumerate(pairs, 1):
            pair = self.words(*lines)
            if not self.allow_empty:
                _check_words(pair, number, self.source, self.target)
            yield pair
        if number == 0:
            raise InputError(f"{self.source} and {self.target} are empty; name files with a sentence a line")


def _read_set(files: LocalSet, words: Words) -> ParallelSet:
    sources, targets = _paths(files.source), _paths(files.target)
    sgml = any(map(is_sgml, sources + targets))
    read = _read_sgml(sources, targets, words.tokenised) if sgml else _read_lines(sources, targets, words.tokenised)
    source, target = ([[*map(words.spaces, lines)] for lines in side] for side in read)
    sentences = tuple(words(*pair) for pair in zip(source[0], target[0], strict=True))
    if not sentences:
        raise InputError(f"{sources[0]} and {targets[0]} are empty; name files with a sentence a line")
    for number, pair in enumerate(sentences, 1):
        _check_words(pair, number, sources[0], targets[0])
    return ParallelSet(sentences, tuple(map(tuple, source)), tuple(map(tuple, target)))


Texts = Sequence[Sequence[str]]


def _read_lines(source: tuple[Path, ...], target: tuple[Path, ...], tokenised: bool) -> tuple[Texts, Texts]:
    texts = {path: read_lines(path, tokenised=tokenised) for path in source + target}
    check_counts(*((path, len(lines)) for path, lines in texts.items()))
    return [texts[path] for path in source], [texts[path] for path in target]


def _read_sgml(source: tuple[Path, ...], target: tuple[Path, ...], tokenised: bool) -> tuple[Texts, Texts]:
    for path in source + target:
        if not is_sgml(path):
            raise InputError(
                f"{path} has a sentence a line, but its set has SGML too; give all files of a set in one form"
            )
    return read_sets(source, target, tokenised)


def read_gold_set(files: LocalGold) -> GoldSet:
    """Hand-aligned pairs; their text is always taken as white-space tokens, because the links index these."""
    sentences = tuple(TextPairs(files.source, files.target, Words("", "", tokenised=True)))
    lines = read_lines(files.align, allow_empty=True)
    links = parse_links(files.align, lines, sentences, files.source, surely_from_0=files.counted_from == 0)
    return GoldSet(sentences, links)


def _check_words(pair: Sentence, number: int, source: Path, target: Path) -> None:
    """Raise an InputError if the tokeniser left nothing of a line, which then held only control characters."""
    for words, path in ((pair.source, source), (pair.target, target)):
        if not words:
            raise InputError(f"{path}, line {number}: no word in it; remove it here and in the parallel files")


def _check_files(settings: LocalSettings) -> None:
    """Raise an InputError for a file that stands twice in a set, or in two; but gold may be dev or a test too."""
    sets = {"train": settings.train, **settings.held_out}
    for name, paths in sets.items():
        for one, other in combinations(paths, 2):
            if _same(one, other):
                raise InputError(f"{name}: {one} and {other} are the same file; each must be one of its own")
    for (first, ones), (second, others) in combinations(sets.items(), 2):
        for one, other in product(ones, others):
            if (first == "train" or second != "gold") and _same(one, other):
                raise InputError(f"{other} is of {first} and of {second}; give each set sentences of its own")
    for path in settings.files:
        check_sentences(path)


def _paths(side: Path | tuple[Path, ...]) -> tuple[Path, ...]:
    return side if isinstance(side, tuple) else (side,)


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # a file that is not there, which reading it will say
        return False
