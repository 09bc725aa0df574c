"""What a run leaves behind, without what the clock says: equal for any two runs of a study, whatever befell them."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TIMES = re.compile(r"(.*_)?(wall_seconds|tokens_per_second|wps|ups|train_wall|wall)(_sd)?|hours")
"""Keys and columns of times and speeds."""
HEADINGS = {"train tokens/s", "wall time"}
"""The same in tables for readers."""
OF_TIMES = "cost"
"""A figure whose axis is time."""
SHOWN = {"main", "cost"}
"""Tables that show times beside other values."""
LEFT_OUT = ("work/logs/", "work/manifest/.", "reports/provenance/")
DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)


def contents(folder: Path) -> dict[str, bytes]:
    """Path, relative to the checkout ``folder``, -> what stands there, of all that stages wrote.

    So a file that should have gone, of a training under way or half-written, is a difference too.
    """
    times = _times(folder)
    found = {}
    for path in sorted(path for top in ("work", "reports") for path in (folder / top).rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(LEFT_OUT):
            found[name] = _without_times(path, times)
    return found


def differences(found: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    """The files that are not as expected, and how."""
    missing = [f"{name}: missing" for name in expected.keys() - found.keys()]
    added = [f"{name}: not in an undisturbed run" for name in found.keys() - expected.keys()]
    other = [f"{name}: another content" for name in found.keys() & expected.keys() if found[name] != expected[name]]
    return sorted(missing + added + other)


def _times(folder: Path) -> set[str]:
    """The cells of tables that are times and speeds in this run."""
    shown = set()
    for path in folder.glob("reports/*/metrics.json"):
        for key, value in _leaves(json.loads(path.read_text(encoding="utf-8"))):
            if value is not None and TIMES.fullmatch(key):
                minutes, seconds = divmod(round(value), 60)
                time = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
                shown.add(time if "seconds" in key else f"{value:,.0f}")
    return shown


def _leaves(content: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _leaves(value, name)
    else:
        yield key, content


def _without_times(path: Path, times: set[str]) -> bytes:
    raw = path.read_bytes()
    if path.suffix in (".png", ".svg") and path.stem == OF_TIMES:
        return b""
    if path.suffix == ".json":
        return json.dumps(_pruned(json.loads(raw))).encode()
    if path.name == "log.jsonl":
        return "\n".join(json.dumps(_pruned(json.loads(line))) for line in raw.splitlines()).encode()
    if path.suffix == ".csv":
        return _table(raw.decode())
    if path.suffix in (".md", ".tex") and path.stem in SHOWN:
        return _cells(raw.decode(), times)
    if path.name == "index.html":
        return DATA.sub(lambda match: match[1] + _page(match[2]) + match[3], raw.decode()).encode()
    return raw


def _pruned(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _pruned(value) for key, value in content.items() if not TIMES.fullmatch(key)}
    return [_pruned(value) for value in content] if isinstance(content, list) else content


def _table(text: str) -> bytes:
    rows = list(csv.DictReader(io.StringIO(text)))
    return json.dumps([_pruned(row) for row in rows if row.get("column") not in HEADINGS]).encode()


def _cells(text: str, times: set[str]) -> bytes:
    """Cells with times are as empty as those of a system without; columns are as narrow as they can be."""
    parts = re.split(r"(\s*(?:\||&|\\\\)\s*)", text)
    kept = ["–" if part in times or part == "--" else re.sub(r"[-:]{3,}", "---", part) for part in parts]
    return re.sub(r"[ ]+", " ", "".join(kept)).encode()


def _page(text: str) -> str:
    data = json.loads(text)
    for table in data["tables"]:
        for part in table["parts"]:
            kept = [k for k, heading in enumerate(part["headings"]) if heading not in HEADINGS]
            part["rows"] = [[row[k] for k in kept] for row in part["rows"]]
    data["figures"] = [figure for figure in data["figures"] if Path(figure["file"]).stem != OF_TIMES]
    return json.dumps(_pruned(data))
