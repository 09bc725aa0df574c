"""Which other form links may be in, where they are none of ours."""

import re
from collections.abc import Sequence

from stages.corpora.parallel import Sentence, length

TRIPLE = re.compile(r"\d+[ \t]+\d+[ \t]+\d+([ \t]+[SPsp]([ \t]+[0-9.]+)?)?")
SCORED = re.compile(r"\d+[-?]\d+(<sep>|[:/!])[0-9.eE-]+")
JOINED = re.compile(r"\d+[:,/]\d+")
LETTERED = re.compile(r"\d+[pP]\d+")
PAIR = re.compile(r"(\d+)[-?](\d+)")
SEE = "docs/corpora.md has a command that converts them"


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
