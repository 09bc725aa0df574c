"""Hand-aligned sentence pairs: links that are sure or only possible, and their text form (`i-j`, `i?j`)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from stages.corpora.parallel import Sentence, length
from stages.errors import InputError
from stages.textio import check_counts

LINK = re.compile(r"([0-9]+)([-?])([0-9]+)")


class Link(NamedTuple):
    """A link of source word `source` to target word `target`, both 0-based."""

    source: int
    target: int
    sure: bool


@dataclass(frozen=True)
class Gold:
    """Sentence pairs and the links of each."""

    sentences: tuple[Sentence, ...]
    links: tuple[frozenset[Link], ...]

    def alignment_lines(self) -> list[str]:
        """One line a sentence, links sorted by source and target; a link given as both kinds is sure."""
        return [" ".join(f"{i}-{j}" if sure else f"{i}?{j}" for (i, j), sure in _merged(of)) for of in self.links]


def _merged(links: Iterable[Link]) -> list[tuple[tuple[int, int], bool]]:
    strongest: dict[tuple[int, int], bool] = {}
    for i, j, sure in sorted(links):
        strongest[i, j] = sure  # possible sorts before sure
    return sorted(strongest.items())


def parse_links(
    path: Path, lines: Iterable[str], sentences: tuple[Sentence, ...], text: Path
) -> tuple[frozenset[Link], ...]:
    """The links of `lines`, read from `path`, checked against the words of `sentences`, read from `text`.

    An empty line is a sentence without links.

    Raises:
        InputError: names `path` and the line of a malformed link or of one outside its sentence; or the counts differ.
    """
    lines = tuple(lines)
    check_counts((path, len(lines)), (text, len(sentences)))
    return tuple(
        frozenset(_parse(link, f"{path}, line {number}", pair) for link in line.split())
        for number, (line, pair) in enumerate(zip(lines, sentences, strict=True), 1)
    )


def _parse(text: str, where: str, pair: Sentence) -> Link:
    match = LINK.fullmatch(text)
    if match is None:
        raise InputError(f"{where}: {text!r} is not a link; write i-j (sure) or i?j (possible), 0-based, source first")
    link = Link(int(match[1]), int(match[3]), match[2] == "-")
    check_inside(link, where, pair)
    return link


def check_inside(link: Link, where: str, pair: Sentence) -> None:
    """Raise an InputError that names `where` unless both ends of `link` are words of `pair`."""
    words = (length(pair.source), length(pair.target))
    if not (0 <= link.source < words[0] and 0 <= link.target < words[1]):
        raise InputError(
            f"{where}: link {link.source}-{link.target} is outside its sentence pair of {words[0]} source and "
            f"{words[1]} target words; links are 0-based, source index first, and count white-space tokens"
        )
