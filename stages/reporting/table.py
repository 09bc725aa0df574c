"""A table independent of its format: built from a data frame by column descriptions, written as Markdown."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import pandas as pd

MISSING = "–"


class Column(NamedTuple):
    """A measure as a column: its name in the frame, heading, which way is better, how a value is written.

    spread: whether its standard deviation is shown.
    """

    measure: str
    heading: str
    better: Literal["high", "low", None]
    write: Callable[[float], str]
    spread: bool = True


class Cell(NamedTuple):
    """Text of a cell, whether it is the best of its column, and marks of significance behind it."""

    text: str
    best: bool
    marks: str = ""


class Table(NamedTuple):
    """Headings, and rows of a system title and one cell a column."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


ARROWS = {"high": " ↑", "low": " ↓", None: ""}


Marks = Mapping[tuple[str, str], str]
"""(system, measure) -> marks of significance; a pair without any may be missing."""


def build(frame: pd.DataFrame, columns: Sequence[Column], marks: Marks) -> Table:
    """Table of `frame` (index: systems; columns: `title` and, per measure, `<measure>` and `<measure>_sd`).

    A mean with its standard deviation is written `mean ± sd`, a missing value `–`. Best is judged on the written
    value: what looks equal is equal, and all of the equal ones are marked.
    """
    cells = [_cells(frame, column, marks) for column in columns]
    headings = ("System", *(column.heading + ARROWS[column.better] for column in columns))
    return Table(headings, tuple(zip(frame["title"], zip(*cells, strict=True), strict=True)))


def markdown(table: Table) -> str:
    """The table as GitHub Markdown: numbers right-aligned, the best of a column in bold."""
    rows = [
        [escape(title), *((f"**{cell.text}**" if cell.best else cell.text) + cell.marks for cell in cells)]
        for title, cells in table.rows
    ]
    widths = [max(3, *(len(row[i]) for row in [table.headings, *rows])) for i in range(len(table.headings))]

    def line(row: Sequence[str]) -> str:
        first, *rest = (
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        return "| " + " | ".join([first, *rest]) + " |"

    rule = "|:" + "-" * widths[0] + " |" + "|".join(" " + "-" * width + ":" for width in widths[1:]) + "|"
    return "\n".join([line(table.headings), rule, *map(line, rows)]) + "\n"


def _cells(frame: pd.DataFrame, column: Column, marks: Marks) -> list[Cell]:
    values = frame[column.measure]
    written = [None if pd.isna(value) else column.write(value) for value in values]
    best = None
    if column.better and values.notna().sum() > 1:
        best = written[values.index.get_loc(values.idxmax() if column.better == "high" else values.idxmin())]
    deviations = [
        "" if pd.isna(sd) or not column.spread else f" ± {column.write(sd)}" for sd in frame[f"{column.measure}_sd"]
    ]
    pairs = [(system, column.measure) for system in frame.index]
    return [
        Cell(MISSING, False) if text is None else Cell(text + deviation, text == best, marks.get(pair, ""))
        for text, deviation, pair in zip(written, deviations, pairs, strict=True)
    ]


def escape(text: str) -> str:
    """Text in which Markdown finds nothing to set: RNNsearch* is no emphasis."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)
