"""Files that are written whole or not at all: text, and a table as CSV."""

from pathlib import Path

from stages.files.atomic import new_file
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.tidy import tidy


def write_csv(path: Path, entry: ReportTable) -> None:
    with new_file(path) as handle:
        tidy(entry).to_csv(handle, index=False, lineterminator="\n")


def write_text(path: Path, text: str) -> None:
    with new_file(path) as handle:
        handle.write(text)
