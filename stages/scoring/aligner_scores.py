"""Error rate of links against the hand-made ones (Och & Ney 2003), and of the files of the statistical aligners."""

from collections.abc import Sequence, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.alignment import pharaoh
from stages.files.links import Link
from stages.files.text import check_counts
from stages.measures import aer
from stages.measures.gold_links import Gold
from stages.scoring.gold_links import FILE, read_gold_links

KEYS = ("aer", "align_precision", "align_recall")

Scores = dict[str, float | None]
UNDEFINED: Scores = dict.fromkeys(KEYS)
"""Of a corpus without gold set."""


class Quality(NamedTuple):
    """Percent; None where undefined."""

    aer: float | None
    precision: float | None
    recall: float | None


def quality(links: Sequence[Set[Link]], golds: Sequence[Gold]) -> Quality:
    """Of all sentences together."""
    found = aer.of_totals(np.sum([aer.statistics(*pair) for pair in zip(links, golds, strict=True)], axis=0))
    return Quality(*(None if np.isnan(value) else float(value) for value in found))


def score(links: Path, text: Path, languages: tuple[str, str]) -> Scores:
    """Percent, None where undefined, of the links in the file `links` against those of the gold set, see
    `read_gold_links`.

    Raises:
        InputError: the files have different numbers of lines, or a link is malformed or outside its sentence.
    """
    found = [frozenset(one) for one in pharaoh.read(links)]
    golds = read_gold_links(text, languages)
    check_counts((links, len(found)), (text / FILE, len(golds)))
    return dict(zip(KEYS, quality(found, golds), strict=True))


def line(values: Scores) -> str:
    """One readable line; an undefined value is a dash."""
    return "  ".join(f"{key} {'–' if value is None else format(value, '.1f')}" for key, value in values.items())
