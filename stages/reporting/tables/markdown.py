"""A table as GitHub Markdown."""

import re
from collections.abc import Iterator, Sequence

from stages.reporting.tables.table import Cell, ReportTable, Table


def markdown(table: Table) -> str:
    """Numbers right-aligned, the best of a column in bold, marks behind it."""
    headings = [escape(heading) for heading in table.headings]
    rows = [[escape(title), *map(_cell, cells)] for title, cells in table.rows]
    left = [i == 0 or heading in table.words for i, heading in enumerate(table.headings)]
    widths = [max(3, *(len(row[i]) for row in [headings, *rows])) for i in range(len(headings))]

    def line(row: Sequence[str]) -> str:
        columns = zip(row, widths, left, strict=True)
        texts = [text.ljust(width) if is_left else text.rjust(width) for text, width, is_left in columns]
        return "| " + " | ".join(texts) + " |"

    rules = [f":{'-' * width} " if is_left else f" {'-' * width}:" for width, is_left in zip(widths, left, strict=True)]
    return "\n".join([line(headings), f"|{'|'.join(rules)}|", *map(line, rows)]) + "\n"


def page(entry: ReportTable) -> str:
    """All parts below their names, and the notes as a list."""
    return "\n".join(_lines(entry))


def _lines(entry: ReportTable) -> Iterator[str]:
    yield f"# {escape(entry.title)}\n"
    yield f"{escape(entry.about)}\n"
    for part, table in entry.parts.items():
        if part:
            yield f"## {escape(part)}\n"
        yield markdown(table)
    if entry.mirrors:
        yield f"Counterpart of {escape(entry.mirrors)}.\n"
    yield from (f"- {escape(note)}" for note in entry.notes)
    yield ""


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    return (f"**{text}**" if cell.best else text) + escape(cell.marks)


def escape(text: str) -> str:
    """Text in which Markdown finds nothing to set: RNNsearch* is no emphasis, and a line break ends no row."""
    return re.sub(r"([\\`*_|<>\[\]~&$#])", r"\\\1", " ".join(text.split("\n")))
