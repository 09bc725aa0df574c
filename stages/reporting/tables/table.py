"""A table independent of its format: plain text, built from a data frame by column descriptions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import pandas as pd

from stages.reporting.marks import Marks
from stages.reporting.ranking import apart


def percent(value: float) -> str:
    return f"{value:.2f}"


def four(value: float) -> str:
    """Of a measure on a scale that is not known."""
    return f"{value:.4f}"


def signed(value: float, decimals: int = 2) -> str:
    """A difference with its sign; what rounds to 0 has none."""
    text = f"{value:+.{decimals}f}"
    return text if float(text) else text[1:]


def chance(p: float | None, decimals: int) -> str:
    """A p, or what it is below."""
    if p is None:
        return MISSING
    least = 10**-decimals
    return f"< {least:.{decimals}f}" if p < least else f"{p:.{decimals}f}"


def ratio(value: float) -> str:
    return f"{value:.3f}"


def count(value: float) -> str:
    return f"{round(value, 1):,g}" if value < 1e5 else f"{value:,.0f}"


def millions(value: float) -> str:
    return f"{value / 1e6:.2f} M"


def rate(value: float) -> str:
    return f"{value:,.0f}"


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


MISSING = "–"


class Column(NamedTuple):
    """A measure as a column: its name in the frame, heading, which way is better, how a value is written.

    spread: whether its standard deviation is shown. shows: the measure, where its name in the frame is another.
    """

    measure: str
    heading: str
    better: Literal["high", "low", None]
    write: Callable[[float], str]
    spread: bool = True
    shows: str | None = None


class Cell(NamedTuple):
    """Text of a cell, whether it is the best of its column, and marks of significance behind it.

    number, sd: what the text says, in full precision; None where it says something else. apart: why it does not compete
    for the best, as in `ranking.apart`.
    """

    text: str
    best: bool = False
    marks: str = ""
    number: float | None = None
    sd: float | None = None
    apart: str = ""


class Table(NamedTuple):
    """Headings, and rows of a title and one cell a column: plain text, which every format escapes for itself.

    names: of the rows in params.yaml, "" for one that is no system; empty where no row is. words: headings of the
    columns that hold words instead of numbers. lower: headings without an arrow below which less is better.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    names: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    lower: frozenset[str] = frozenset()

    @property
    def cells(self) -> list[Cell]:
        """Of all rows."""
        return [cell for _, cells in self.rows for cell in cells]


ARROWS: dict[str | None, str] = {"high": " ↑", "low": " ↓", None: ""}


def without_arrow(heading: str) -> str:
    """A heading but for what says which way is better."""
    return heading.removesuffix(ARROWS["high"]).removesuffix(ARROWS["low"])


def build(frame: pd.DataFrame, columns: Sequence[Column], marks: Marks) -> Table:
    """Table of `frame` (index: systems; columns: `title` and, per measure, `<measure>` and `<measure>_sd`; `apart`, if
    there is one: why values of the system do not compete).

    marks: by system and measure.

    A mean with its standard deviation is written `mean ± sd`, a missing value `–`. Best is judged on the written
    value: what looks equal is equal, and all of the equal ones are marked.
    """
    cells = [_cells(frame, column, marks) for column in columns]
    headings = ("System", *(column.heading + ARROWS[column.better] for column in columns))
    rows = tuple(zip(frame["title"], zip(*cells, strict=True), strict=True))
    times = frozenset(column.heading for column in columns if column.write is clock and not column.better)
    return Table(headings, rows, tuple(frame.index), lower=times)


def _cells(frame: pd.DataFrame, column: Column, marks: Marks) -> list[Cell]:
    values, deviations = frame[column.measure], frame[f"{column.measure}_sd"]
    texts = [None if pd.isna(value) else column.write(value) for value in values]
    best = None
    why = frame["apart"] if "apart" in frame else pd.Series("", values.index)
    reasons = [apart(name, column.shows or column.measure, why[name]) for name in values.index]
    ranked = values[[not reason for reason in reasons]]
    if column.better and ranked.notna().sum() > 1:
        best = texts[values.index.get_loc(ranked.idxmax() if column.better == "high" else ranked.idxmin())]
    cells = []
    each = zip(frame.index, values, deviations, texts, reasons, strict=True)
    for system, value, deviation, text, reason in each:
        if text is None:
            cells.append(Cell(MISSING))
            continue
        spread = None if pd.isna(deviation) or not column.spread else float(deviation)
        shown = text if spread is None else f"{text} ± {column.write(spread)}"
        cells.append(
            Cell(
                shown,
                text == best and not reason,
                marks.get((system, column.measure), ""),
                float(value),
                spread,
                reason,
            )
        )
    return cells


class ReportTable(NamedTuple):
    """What `<name>.md`, `.csv` and `.tex` hold; all text is plain.

    about: a sentence on what is shown. mirrors: the papers' tables that it is the counterpart of, "" if it has none.
    parts: tables by their name, which is "" if there is only one. notes: how the numbers came about.
    records: the lines of the CSV file; None stands for one line a cell.
    """

    name: str
    title: str
    about: str
    mirrors: str
    parts: Mapping[str, Table]
    notes: tuple[str, ...]
    records: pd.DataFrame | None = None

    def caption(self, part: str) -> str:
        """The title of a part."""
        return f"{self.title}: {part}" if part else self.title
