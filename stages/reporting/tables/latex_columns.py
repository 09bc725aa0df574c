"""The columns of a table in LaTeX: how its headings break, which columns are paragraphs, and which way up it stands."""

from textwrap import wrap
from typing import NamedTuple

from stages.reporting.tables.table import Table, without_arrow

HEADING_LINES = 3
"""At most; a heading that needs more over narrow cells widens its column."""

WIDEST = 80
"""Characters of a column of words; a wider one is set in paragraphs of that width."""

PARAGRAPH = rf">{{\raggedright\arraybackslash}}p{{{0.45 * WIDEST:g}em}}"
CHARACTER, LINE, GAP = 4.6, 12, 9
"""Width of a character, height of a line and space between two columns at 10 pt, in points."""

UPRIGHT, SIDEWAYS = (345, 467), (550, 367)
"""Room of a table in LaTeX's article, points: caption and notes have the rest of the page. One on its side has that
page for itself, and may be wider than the text."""

SMALL = 0.7
"""A table that would be smaller than this share of its size is turned if it is larger then."""


class Shape(NamedTuple):
    """Per column `l` or `r`, the preamble of the tabular, the lines of each heading, and whether the table lies on its
    side."""

    aligned: tuple[str, ...]
    columns: str
    headings: tuple[tuple[str, ...], ...]
    sideways: bool


def shape(table: Table) -> Shape:
    """A heading takes the width of the cells below it, and as many lines as that needs, up to `HEADING_LINES`."""
    aligned = tuple("l" if k == 0 or name in table.words else "r" for k, name in enumerate(table.headings))
    texts = zip(*([title, *(cell.text + cell.marks for cell in cells)] for title, cells in table.rows), strict=True)
    widths = [min(max(map(len, column)), WIDEST) for column in texts] or [0] * len(aligned)
    headings = tuple(_broken(name, width) for name, width in zip(table.headings, widths, strict=True))
    paragraphs = [kind == "l" and width == WIDEST for kind, width in zip(aligned, widths, strict=True)]
    columns = "".join(PARAGRAPH if long else kind for long, kind in zip(paragraphs, aligned, strict=True))
    wide = sum(max(width, *map(len, lines)) for width, lines in zip(widths, headings, strict=True))
    size = (wide * CHARACTER + len(widths) * GAP, (len(table.rows) + max(map(len, headings))) * LINE)
    upright, sideways = _scale(size, UPRIGHT), _scale(size, SIDEWAYS)
    return Shape(aligned, columns, headings, upright < min(sideways, SMALL))


def _scale(size: tuple[float, float], room: tuple[float, float]) -> float:
    """What is left of a size, width and height, when it is made to fit."""
    return min(1, *(has / needs for has, needs in zip(room, size, strict=True)))


def _broken(heading: str, width: int) -> tuple[str, ...]:
    """Lines of at most `width` characters or a word, longer ones where they would be too many; the arrow stays with the
    word before it."""
    name = without_arrow(heading)
    tried = (
        wrap(name, at_most, break_long_words=False, break_on_hyphens=False)
        for at_most in range(max(width, 1), max(width, len(name)) + 1)
    )
    *before, last = next((lines for lines in tried if 0 < len(lines) <= HEADING_LINES), [""])
    return (*before, last + heading.removeprefix(name))
