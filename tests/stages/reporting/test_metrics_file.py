"""metrics.json is written in few lines, and says the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from stages.reporting.metrics_document import write_metrics
from tests.helpers.paths import ROOT

SHALLOW = {"d": {"e": 2}, "f": 3}
GROUPS = {"a": 1, "b": [1.5, None], "c": SHALLOW, "g": "4", "h": {"i": 5, "j": 6, "k": SHALLOW}}


def written(document: dict[str, Any], folder: Path) -> str:
    write_metrics(document, folder / "metrics.json")
    return (folder / "metrics.json").read_text(encoding="utf-8")


def pairs(text: str) -> Any:
    """The content with its keys in their order."""
    return json.loads(text, object_pairs_hook=list)


def test_the_numbers_of_a_group_share_a_line_as_does_a_shallow_group(tmp_path: Path) -> None:
    assert written(GROUPS, tmp_path).splitlines() == [
        "{",
        ' "a":1,"b":[1.5,null],',
        ' "c":{"d":{"e":2},"f":3},',
        ' "g":"4",',
        ' "h":{',
        '  "i":5,"j":6,',
        '  "k":{"d":{"e":2},"f":3}',
        " }",
        "}",
    ]


@pytest.mark.parametrize("document", [{}, {"a": {}}, GROUPS, {'"\n': "词", "x": 0.1 + 0.2, "y": {"z": {}, "w": 1e-9}}])
def test_it_says_what_it_was_given(document: dict[str, Any], tmp_path: Path) -> None:
    text = written(document, tmp_path)
    assert json.loads(text) == document
    assert pairs(text) == pairs(json.dumps(document))


def test_what_json_lacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        written({"a": float("nan")}, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ROOT.glob("reports/*/metrics.json")), ids=lambda path: path.parent.name)
def test_a_committed_report_keeps_every_key_and_value(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert pairs(written(json.loads(text), tmp_path)) == pairs(text)
