"""Tables as files that are written whole or not at all: text, CSV and what a spreadsheet must not run."""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from stages.files.atomic import new_file
from stages.reporting.tables.table import MISSING, Cell, ReportTable, without_arrow


def write_csv(path: Path, entry: ReportTable) -> None:
    with new_file(path) as handle:
        frame = long_format(entry)
        # As objects: pandas would make a column of whole numbers with a gap one of fractions.
        safe = {name: pd.Series([harmless(cell) for cell in frame[name]], dtype=object) for name in frame}
        pd.DataFrame(safe).to_csv(handle, index=False, lineterminator="\n")


def write_text(path: Path, text: str) -> None:
    with new_file(path) as handle:
        handle.write(text)


COLUMNS = ("part", "variant", "row", "column", "value", "sd", "marks", "best")


def long_format(entry: ReportTable) -> pd.DataFrame:
    """`COLUMNS` of every cell; variant: the name in params.yaml. A missing value is empty."""
    if entry.records is not None:
        return entry.records
    lines = []
    for part, table in entry.parts.items():
        names = table.names or ("",) * len(table.rows)
        headings = [without_arrow(heading) for heading in table.headings[1:]]
        for name, (title, cells) in zip(names, table.rows, strict=True):
            for heading, cell in zip(headings, cells, strict=True):
                best = "yes" if cell.best else None
                lines.append((part, name, title, heading, _value(cell), cell.sd, cell.marks, best))
    return pd.DataFrame(lines, columns=COLUMNS, dtype=object)


def _value(cell: Cell) -> float | str | None:
    if cell.number is not None:
        return cell.number
    return None if cell.text == MISSING else cell.text


FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def harmless(value: Any) -> Any:
    """A cell with an apostrophe before text that begins like a formula; numbers, also written ones, are left alone.

    Titles are a user's, words are those of a corpus. (OWASP, "CSV Injection".)
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or NUMBER.fullmatch(value):
        return value
    return f"'{value}"
