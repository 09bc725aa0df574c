"""Files that are written whole or not at all: text, and a table as CSV."""

from pathlib import Path

import pandas as pd

from stages.files.atomic import new_file
from stages.reporting.tables.long_format import long_format
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.spreadsheet import harmless


def write_csv(path: Path, entry: ReportTable) -> None:
    with new_file(path) as handle:
        _harmless(long_format(entry)).to_csv(handle, index=False, lineterminator="\n")


def write_text(path: Path, text: str) -> None:
    with new_file(path) as handle:
        handle.write(text)


def _harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """As objects: pandas would make a column of whole numbers with a gap one of fractions."""
    return pd.DataFrame({name: pd.Series([harmless(cell) for cell in frame[name]], dtype=object) for name in frame})
