"""Hand-aligned sentence pairs: links that are sure or only possible, held against their sentences."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stages.corpora.link_formats import looks_like, refuse_without_first_words
from stages.corpora.parallel import Sentence, length
from stages.files import links
from stages.files.errors import InputError
from stages.files.links import MarkedLink
from stages.files.text import check_counts


@dataclass(frozen=True)
class GoldSet:
    """Sentence pairs and the links of each."""

    sentences: tuple[Sentence, ...]
    links: tuple[frozenset[MarkedLink], ...]

    def alignment_lines(self) -> list[str]:
        """One line a sentence, links sorted by source and target; a link given as both kinds is sure."""
        return [links.write(of) for of in self.links]


def parse_links(
    path: Path, lines: Iterable[str], sentences: tuple[Sentence, ...], text: Path, surely_from_0: bool = False
) -> tuple[frozenset[MarkedLink], ...]:
    """The links of `lines`, read from `path`, checked against the words of `sentences`, read from `text`.

    An empty line is a sentence without links. surely_from_0: links to no first word do not speak for a count from 1.

    Raises:
        InputError: names `path` and the line of a malformed link or of one outside its sentence, and the form that the
            links seem to have; or the counts differ; or the links seem counted from 1 though all fit.
    """
    lines = tuple(lines)
    try:
        check_counts((path, len(lines)), (text, len(sentences)))
        found = tuple(
            _parse(line, f"{path}, line {number}", pair)
            for number, (line, pair) in enumerate(zip(lines, sentences, strict=True), 1)
        )
    except InputError as error:
        if form := looks_like(lines, sentences):
            raise InputError(f"{error}; {form}") from None
        raise
    if not surely_from_0:
        refuse_without_first_words(path, found)
    return found


def _parse(line: str, where: str, pair: Sentence) -> frozenset[MarkedLink]:
    try:
        found = frozenset(links.parse(line))
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
    for link in sorted(found):
        check_inside(link, where, pair)
    return found


def check_inside(link: MarkedLink, where: str, pair: Sentence) -> None:
    """Raise an InputError that names `where` unless both ends of `link` are words of `pair`."""
    try:
        links.check_bounds([link[:2]], length(pair.source), length(pair.target))
    except ValueError as error:
        raise InputError(
            f"{where}: {error}; links are 0-based, source index first, and count white-space tokens"
        ) from None
