"""metrics.json: every number in full precision, in lines that can be compared and take little room."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stages.reporting.metrics import Document

SHALLOW = 2
"""Levels of a group that stands in one line: a measure by length of the source, say."""


def write_metrics(document: Document, path: Path) -> None:
    """The numbers of a group stand in one line, such as those of a test set in a run; a deep group in it has its own
    lines, a shallow one a line."""
    path.write_text(_written(document, "") + "\n", encoding="utf-8")


def _written(group: Mapping[str, Any], margin: str) -> str:
    """`group` as JSON, its lines after the first behind `margin` and a blank."""
    if _levels(group) <= SHALLOW:
        return _json(group)
    lines: list[str] = []
    open_line = False
    for key, value in group.items():
        grouped = isinstance(value, Mapping)
        entry = f"{_json(key)}:{_written(value, f'{margin} ') if grouped else _json(value)}"
        if open_line and not grouped:
            lines[-1] += f",{entry}"
        else:
            lines.append(entry)
        open_line = not grouped
    separator = f",\n{margin} "
    return "{\n" + f"{margin} {separator.join(lines)}\n{margin}" + "}"


def _levels(value: Any) -> int:
    """Of mappings in mappings: 0 for a number."""
    return 1 + max(map(_levels, value.values()), default=0) if isinstance(value, Mapping) else 0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
