"""The dictionaries of the neural systems: which words they tell apart from others."""

from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import iter_lines, read_lines
from stages.scoring.inputs import Text


def read_vocabulary(data: Path, language: str) -> frozenset[str]:
    """The pieces, or whole words, that the systems can tell apart. data: folder of the binarize stage.

    Not among them: fairseq's special symbols, and those of frequency 0 with which it fills up a dictionary. Raises
    InputError naming file and line.
    """
    path = data / f"dict.{language}.txt"
    pieces = set()
    for number, line in enumerate(iter_lines(path), start=1):
        piece, _, frequency = line.rpartition(" ")
        if not (piece and frequency.isdecimal()):
            raise InputError(f"{path}, line {number}: not a piece and its frequency; run the binarize stage again")
        if int(frequency) > 0:
            pieces.add(piece)
    return frozenset(pieces)


def known_rows(text: Text, name: str, tokens: Path, data: Path) -> list[int]:
    """The rows of the set `name` without an unknown piece on either side, as `stages.translating.evaluation` takes them
    for its translations without unknown words.

    tokens, data: folders of the stages bpe and binarize. Raises InputError if a file is missing or damaged.
    """
    known = []
    for language in (text.source, text.target):
        vocabulary = read_vocabulary(data, language)
        lines = read_lines(tokens / f"{name}.{language}")
        known.append([vocabulary.issuperset(line.split(" ")) for line in lines])
    return [row for row, sides in enumerate(zip(*known, strict=True)) if all(sides)]
