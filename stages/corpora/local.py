"""A user's own files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.parallel import ParallelSet, Sentence, single_spaced
from stages.corpora.raw_corpus import Corpus
from stages.corpora.tokenise import tokeniser
from stages.files.text import check_counts, iter_parallel, read_lines
from stages.settings.corpora import LocalGold, LocalSet, LocalSettings


def load(settings: LocalSettings) -> Corpus:
    """The corpus of `settings`; the training text is read only while it is iterated over.

    Raises:
        InputError: any fault of a file (see `stages.files.text`) or a gold link outside its sentence pair, with file
            and line; text that would have to be tokenised but is written without blanks.
    """
    words = Words(settings.source, settings.target, settings.tokenised)
    return Corpus(
        train=TextPairs(*settings.train, words),
        dev=_read_set(settings.dev, words),
        tests={name: _read_set(files, words) for name, files in settings.tests.items()},
        gold=None if settings.gold is None else read_gold_set(settings.gold),
        tokenised=settings.tokenised,
        held_out=0,
    )


class Words:
    """Turns a pair of lines into a pair of sentences: single-spaced, Moses-tokenised first unless `tokenised`."""

    def __init__(self, source: str, target: str, tokenised: bool) -> None:
        self._source = single_spaced if tokenised else tokeniser(source)
        self._target = single_spaced if tokenised else tokeniser(target)

    def __call__(self, source: str, target: str) -> Sentence:
        return Sentence(self._source(source), self._target(target))


@dataclass(frozen=True)
class TextPairs:
    """Two parallel files as sentences; every iteration streams the files anew."""

    source: Path
    target: Path
    words: Words

    def __iter__(self) -> Iterator[Sentence]:
        for source, target in iter_parallel(self.source, self.target):
            yield self.words(source, target)


def _read_set(files: LocalSet, words: Words) -> ParallelSet:
    sides = [side if isinstance(side, tuple) else (side,) for side in (files.source, files.target)]
    texts = {path: read_lines(path) for paths in sides for path in paths}
    check_counts(*((path, len(lines)) for path, lines in texts.items()))
    source, target = ([texts[path] for path in paths] for paths in sides)
    sentences = tuple(words(*pair) for pair in zip(source[0], target[0], strict=True))
    return ParallelSet(sentences, tuple(source), tuple(target))


def read_gold_set(files: LocalGold) -> GoldSet:
    """Hand-aligned pairs; their text is always taken as white-space tokens, because the links index these."""
    sentences = tuple(TextPairs(files.source, files.target, Words("", "", tokenised=True)))
    links = parse_links(files.align, read_lines(files.align, allow_empty=True), sentences, files.source)
    return GoldSet(sentences, links)
