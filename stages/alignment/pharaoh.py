"""Links of one sentence pair as a line `i-j i-j …` (the Pharaoh format): 0-based, source word first."""

import re
from collections.abc import Iterable

from stages.measures.gold import Link

_LINK = re.compile(r"([0-9]+)-([0-9]+)")


def parse(line: str) -> list[Link]:
    """The links of `line`, none for an empty one; raises ValueError that names the first malformed link."""
    links = []
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise ValueError(f"'{text}' is not a link: write i-j, counted from 0, source word first")
        links.append((int(match[1]), int(match[2])))
    return links


def write(links: Iterable[Link]) -> str:
    """The line of `links`, sorted by source word, then target word."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))
