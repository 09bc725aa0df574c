"""Error rate of the statistical aligners against the hand-made links (Och & Ney 2003)."""

from pathlib import Path

import numpy as np

from stages.alignment import pharaoh
from stages.files.errors import InputError
from stages.files.text import check_counts, read_lines
from stages.measures import aer
from stages.measures.gold_links import Gold, parse

KEYS = ("aer", "align_precision", "align_recall")

Scores = dict[str, float | None]
UNDEFINED: Scores = dict.fromkeys(KEYS)
"""Of a corpus without gold set."""


def score(links: Path, gold: Path) -> Scores:
    """Percent, None where undefined, of the links in the file `links` against those in the file `gold`.

    Raises:
        InputError: the files have different numbers of lines, or a gold link is malformed.
    """
    found = [frozenset(pharaoh.parse(line)) for line in read_lines(links, allow_empty=True)]
    golds = _read_gold(gold)
    check_counts((links, len(found)), (gold, len(golds)))
    total = aer.of_totals(np.sum([aer.statistics(each, of) for each, of in zip(found, golds, strict=True)], axis=0))
    return {key: None if np.isnan(value) else float(value) for key, value in zip(KEYS, total, strict=True)}


def _read_gold(path: Path) -> list[Gold]:
    golds = []
    for number, line in enumerate(read_lines(path, allow_empty=True), 1):
        try:
            golds.append(parse(line))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}; run the corpus stage again") from None
    return golds


def line(values: Scores) -> str:
    """One readable line; an undefined value is a dash."""
    return "  ".join(f"{key} {'–' if value is None else format(value, '.1f')}" for key, value in values.items())
