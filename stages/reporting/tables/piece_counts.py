"""The text as the models see it: pieces, and how many of them their vocabulary knows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import iter_lines
from stages.reporting.tables.table import Cell, Table, percent, ratio

HEADINGS = ("Set", "pieces", "different pieces", "pieces per word", "unknown to the model (%)")


def vocabularies(data: Path, languages: Sequence[str]) -> dict[str, frozenset[str]]:
    """Language -> the pieces that the systems can tell apart, from the dictionaries of the binarize stage in `data`.

    Not among them: fairseq's special symbols, and those of frequency 0 with which it fills up a dictionary. Raises
    InputError naming file and line.
    """
    return {language: _read(data / f"dict.{language}.txt") for language in languages}


def _read(path: Path) -> frozenset[str]:
    """Lines are `piece frequency`."""
    pieces = set()
    for number, line in enumerate(iter_lines(path), start=1):
        piece, _, frequency = line.rpartition(" ")
        if not (piece and frequency.isdecimal()):
            raise InputError(f"{path}, line {number}: not a piece and its frequency; run the binarize stage again")
        if int(frequency) > 0:
            pieces.add(piece)
    return frozenset(pieces)


def vocabulary_table(known: Mapping[str, frozenset[str]]) -> Table:
    """A row a language. known: of `vocabularies`."""
    rows = tuple((language, (number_cell(len(pieces)),)) for language, pieces in known.items())
    return Table(("Language", "pieces in the vocabulary"), rows)


def pieces_table(bpe: Path, words: Mapping[str, Mapping[str, int]], known: Mapping[str, frozenset[str]]) -> Table:
    """A row a set and language. bpe: folder of the bpe stage; words: set -> language -> running words."""
    rows = tuple(
        (f"{name}, {language}", _cells(tokens(bpe / f"{name}.{language}"), running, known[language]))
        for name, of in words.items()
        for language, running in of.items()
    )
    return Table(HEADINGS, rows)


def _cells(pieces: Counter[str], words: int, known: frozenset[str]) -> tuple[Cell, ...]:
    running = pieces.total()
    unknown = 100 * sum(count for piece, count in pieces.items() if piece not in known) / running
    return (
        number_cell(running),
        number_cell(len(pieces)),
        Cell(ratio(running / words), number=running / words),
        Cell(percent(unknown), number=unknown),
    )


def tokens(path: Path) -> Counter[str]:
    """Occurrences of each token of a file."""
    counts: Counter[str] = Counter()
    for line in iter_lines(path):
        counts.update(line.split(" "))
    return counts


def number_cell(value: int) -> Cell:
    return Cell(f"{value:,}", number=value)
