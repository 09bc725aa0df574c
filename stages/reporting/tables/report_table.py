"""What a table of a report is beside its cells."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from stages.reporting.tables.table import Table


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
