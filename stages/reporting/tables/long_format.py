"""A table as CSV: one line a cell, numbers in full precision."""

import pandas as pd

from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import MISSING, Cell, without_arrow

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
