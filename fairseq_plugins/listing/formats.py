"""The list of variants as text, as a Markdown table and as CSV."""

import csv
import io
import re
import textwrap
from collections.abc import Sequence

from fairseq_plugins.listing.architectures import NONE, Row

CODE = ("name", "formula", "terms", "state", "loss")  # what Markdown must take as it stands


def as_text(rows: Sequence[Row], width: int) -> str:
    """One block per variant, wrapped at ``width`` columns."""
    return "\n\n".join(_block(row, width) for row in rows)


def _block(row: Row, width: int) -> str:
    indent = max(map(len, row._fields)) + 4
    lines = [row.name]
    for field, value in row._asdict().items():
        if field != "name":
            text = f"  {field:<{indent - 2}}{_shown(value)}"
            lines += textwrap.wrap(text, width, subsequent_indent=" " * indent, break_long_words=False)
    return "\n".join(lines)


def as_markdown(rows: Sequence[Row]) -> str:
    """One table, a variant a row."""
    lines = [Row._fields, ["---"] * len(Row._fields)]
    lines += [[_cell(field, value) for field, value in row._asdict().items()] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(field: str, value: str | int) -> str:
    if field in CODE and value != NONE:
        return f"`{value}`".replace("|", r"\|")
    return re.sub(r"([\\`*_|~<\[])", r"\\\1", _shown(value))


def as_csv(rows: Sequence[Row]) -> str:
    """A header and a line per variant; parameters without separators."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([Row._fields, *rows])
    return written.getvalue().removesuffix("\n")


def _shown(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value
