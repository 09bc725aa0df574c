"""The tables of the page, ready for JSON: all that the report has."""

from collections.abc import Sequence
from typing import Any

from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Table


def page_tables(entries: Sequence[ReportTable]) -> list[dict[str, Any]]:
    """{"title", "about", "notes", "parts": [{"name", "headings", "words", "rows"}]}; `words`: numbers of the columns
    that hold no numbers; a row is its title and, per cell, [text, best, marks]."""
    return [
        {
            "title": entry.title,
            "about": entry.about,
            "notes": entry.notes,
            "parts": [_part(name, table) for name, table in entry.parts.items()],
        }
        for entry in entries
    ]


def _part(name: str, table: Table) -> dict[str, Any]:
    return {
        "name": name,
        "headings": table.headings,
        "words": [0, *(k for k, heading in enumerate(table.headings) if k > 0 and heading in table.words)],
        "rows": [[title, *([cell.text, cell.best, cell.marks] for cell in cells)] for title, cells in table.rows],
    }
