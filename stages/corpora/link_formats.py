"""Which other form links may be in, where they are none of ours."""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from stages.corpora.parallel import Sentence, length
from stages.files.errors import InputError
from stages.files.links import MarkedLink

TRIPLE = re.compile(r"\d+[ \t]+\d+[ \t]+\d+([ \t]+[SPsp]([ \t]+[0-9.]+)?)?")
SCORED = re.compile(r"\d+[-?]\d+(<sep>|[:/!])[0-9.eE-]+")
JOINED = re.compile(r"\d+[:,/]\d+")
LETTERED = re.compile(r"\d+[pP]\d+")
PAIR = re.compile(r"(\d+)[-?](\d+)")
SEE = "docs/corpora.md has a command that converts them"
ENOUGH = 10
"""Sentences with links: that all of so many lack one at a first word, of either side, is no chance. Of those that were
aligned by hand for WPT 2003 and 2005 and by Liu and Sun (2015), 1 to 3 in a hundred do, and 1 in 3 if only sure links
of WPT 2003 count, so that ten in a row are one case in 80,000."""


def looks_like(lines: Sequence[str], sentences: Sequence[Sentence]) -> str | None:
    """What `lines`, of which one is no links of its sentence, look like; None if like nothing that is known."""
    words = [word for line in lines for word in line.split()]
    if lines and all(TRIPLE.fullmatch(line) for line in lines if line):
        return f"they look like NAACL's and WPT's lines `sentence source target S|P`, counted from 1; {SEE}"
    if any(SCORED.fullmatch(word) for word in words):
        return f"they look like links with scores; {SEE}"
    if words and all(JOINED.fullmatch(word) for word in words):
        return f"they look like links with another sign between the numbers; {SEE}"
    if lines and lines[0].startswith("# Sentence pair"):
        return "it looks like a file of GIZA++; write its links as i-j"
    if any(LETTERED.fullmatch(word) for word in words):
        return f"possible links look like ipj, which is written i?j here; {SEE}"
    if not words or not all(PAIR.fullmatch(word) for word in words) or len(lines) != len(sentences):
        return None
    links = [
        (int(match[1]), int(match[2]), length(pair.source), length(pair.target))
        for line, pair in zip(lines, sentences, strict=True)
        for match in PAIR.finditer(line)
    ]
    if all(1 <= i <= source and 1 <= j <= target for i, j, source, target in links):
        return f"they look counted from 1, for none is at 0 and all fit so; {SEE}"
    if all(i < target and j < source for i, j, source, target in links):
        return f"they look reversed, for all fit with the target word first; swap source and target or the links; {SEE}"
    if all(1 <= i <= target and 1 <= j <= source for i, j, source, target in links):
        return f"they look counted from 1 and reversed, target word first; {SEE}"
    return None


def refuse_without_first_words(path: Path, links: Iterable[Collection[MarkedLink]]) -> None:
    """Raise an InputError if no link, all of which fit, is at 0, as none is that is counted from 1.

    In fewer than `ENOUGH` sentences that may be chance, and is only said.
    """
    linked = [of for of in links if of]
    if not linked or any(0 in link[:2] for of in linked for link in of):
        return
    none = f"none is at 0 in {len(linked)} {'sentences' if len(linked) > 1 else 'sentence'}"
    from_0 = "if they are counted from 0, write `counted_from: 0` below `gold`"
    if len(linked) >= ENOUGH:
        raise InputError(f"{path}: the links look counted from 1, for {none}; {SEE}; {from_0}")
    print(f"{path}: the links may be counted from 1, for {none}; then {SEE}; {from_0}", flush=True)
