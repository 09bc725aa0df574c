"""The studies of params.yaml on text that people have written, whose results support claims, and their reports."""

from pathlib import Path

from tests.helpers import committed
from tests.helpers.paths import ROOT

_CONTENT = committed.params()

ON_REAL_TEXT = [
    name
    for name, study in _CONTENT["studies"].items()
    if _CONTENT["corpora"][study["corpus"]]["corpus"]["kind"] != "demo"
]


def reported(reports: Path = ROOT / "reports") -> list[str]:
    """Those with a report there."""
    return [name for name in ON_REAL_TEXT if (reports / name / "metrics.json").exists()]
