"""Links of one sentence pair as a line `i-j i-j …`: the Pharaoh format, in which aligners write."""

from collections.abc import Iterable
from pathlib import Path

from stages.files import links
from stages.files.errors import InputError
from stages.files.links import Link, MarkedLink
from stages.files.text import iter_lines


def read(path: Path) -> list[list[Link]]:
    """The links of every line of a file that a stage wrote.

    Raises InputError if the file is missing, or that names the line of a malformed link.
    """
    found = []
    for number, line in enumerate(iter_lines(path, allow_empty=True), start=1):
        try:
            found.append(parse(line))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}; run the stage again that wrote it") from None
    return found


def parse(line: str) -> list[Link]:
    """The links of `line`, none for an empty one.

    Raises ValueError that names the first malformed link, or one that is only possible: aligners have no such links.
    """
    return [_pair(link) for link in links.parse(line)]


def _pair(link: MarkedLink) -> Link:
    i, j, sure = link
    if not sure:
        raise ValueError(f"'{i}?{j}' is not a link of an aligner: write i-j; only hand-made links can be possible")
    return i, j


def write(found: Iterable[Link]) -> str:
    """The line of `found`, sorted by source word, then target word."""
    return links.write(MarkedLink(i, j, sure=True) for i, j in found)
