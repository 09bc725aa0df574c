"""`stats.json`, in which the corpus stage says what its folder holds: written and read here only."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.records import read_record, write_json

FILE = "stats.json"
STRAIGHT = "straight_quotes"
"""Whether quotation marks are made straight before raw text is tokenised; no if it is not there."""
READ_BY_ALL = ("source", "target", "tests", "gold")


class CorpusRecord(NamedTuple):
    """source, target: languages, in the corpus's own direction; tests: names of the test sets, one at least; gold:
    whether there is a gold set of hand-made links; content: the whole record, with the counts that the report shows."""

    source: str
    target: str
    tests: tuple[str, ...]
    gold: bool
    content: dict[str, Any]

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target language."""
        return self.source, self.target

    @property
    def gold_set(self) -> tuple[str, ...]:
        """The name of the gold set, or no name."""
        return ("gold",) if self.gold else ()

    @property
    def held_out(self) -> tuple[str, ...]:
        """Names of all sets but `train`."""
        return ("dev", *self.tests, *self.gold_set)


def write_corpus_record(folder: Path, content: Mapping[str, Any]) -> None:
    """Write `content`, which says at least what `READ_BY_ALL` names, beside the texts of a corpus."""
    write_json(folder / FILE, content)


def read_corpus_record(folder: Path) -> CorpusRecord:
    """The record of the corpus stage's `folder`.

    Raises:
        InputError: the file is missing or damaged, lacks one of `READ_BY_ALL`, or names no test set.
    """
    path = folder / FILE
    content = read_record(path, READ_BY_ALL)
    source, target, tests, gold = (content[key] for key in READ_BY_ALL)
    if not tests:
        raise InputError(f"{path} names no test set; run the corpus stage again")
    return CorpusRecord(source, target, tuple(tests), gold, content)
