"""Reads how long coverage embeddings are, and how many target words each source word is linked to."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stages.alignment import pharaoh
from stages.files.errors import InputError
from stages.files.links import Link, check_bounds
from stages.files.text import check_counts, read_lines
from stages.scoring.inputs import Text

FILE = "dev.coverage.jsonl"
"""Of the evaluate stage; empty for a system without coverage embeddings."""
LINKS = "dev.gdfa"
"""Of the wordalign stage, in the corpus's own direction."""


class Covered(NamedTuple):
    """Of a sentence's source words (S,): lengths at first and in the end, and the number of linked target words."""

    first: np.ndarray
    last: np.ndarray
    linked: np.ndarray


def read_covered(text: Text, translations: Path, wordalign: Path) -> list[Covered] | None:
    """Per sentence of dev; None for a system without coverage embeddings.

    translations, wordalign: folders of the stages evaluate and wordalign. Raises InputError if a file is missing or
    damaged, or if they do not fit together.
    """
    path = translations / FILE
    lines = read_lines(path, allow_empty=True)
    if not lines:
        return None
    links, sources, targets = wordalign / LINKS, *(text.folder / f"dev.{one}" for one in (text.source, text.target))
    each = pharaoh.read(links), read_lines(sources), read_lines(targets)
    check_counts((path, len(lines)), *zip((links, sources, targets), map(len, each), strict=True))
    found = []
    for number, (line, given, *sides) in enumerate(zip(lines, *each, strict=True), start=1):
        linked = _linked(text, given, sides, f"{links}, line {number}")
        found.append(_covered(line, linked, f"{path}, line {number}"))
    return found


def _linked(text: Text, links: Iterable[Link], sides: Iterable[str], where: str) -> np.ndarray:
    """sides: lines of source and target."""
    source, target = (len(side.split(" ")) for side in sides)
    pairs = set(links) if text.direction == "forward" else {(j, i) for i, j in links}
    try:
        check_bounds(pairs, source, target)
    except ValueError as error:
        raise InputError(f"{where}: {error}; run the wordalign stage again") from None
    return np.bincount([i for i, _ in pairs], minlength=source)


def _covered(line: str, linked: np.ndarray, where: str) -> Covered:
    try:
        record = json.loads(line)
        first, last = (np.array(record[name], float) for name in ("first", "last"))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        what = f"no lengths of coverage embeddings ({error!r})"
        raise InputError(f"{where}: {what}; run the evaluate stage again") from None
    if first.shape != linked.shape or last.shape != linked.shape:
        sizes = f"{first.size} and {last.size} lengths for {linked.size} words"
        raise InputError(f"{where}: {sizes}; run the evaluate stage again")
    if not np.isfinite([first, last]).all():
        raise InputError(f"{where}: a length that is no number; run the evaluate stage again")
    return Covered(first, last, linked)
