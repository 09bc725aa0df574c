"""What changed since the last report: metrics.json of the working tree beside that of git's HEAD, as Markdown.

Printed, never written into a report: it would say something else after a commit, and a report that is built again from
the same scores must have the same bytes.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.main import run
from stages.files.records import read_json
from stages.reporting.metrics import Document, leaves
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import MISSING, Cell, Table

COLUMNS = {"bleu": "BLEU", "ter": "TER", "perplexity": "dev perplexity", "aer": "AER", "rot": "ROT"}
"""Measures that are watched, with their headings."""

MOST = 15
"""Lines of a list; what goes beyond is counted."""

LONGEST = 60
"""Characters of a setting."""


class Last(NamedTuple):
    """The report of HEAD; None with the reason if there is nothing to compare with."""

    document: Document | None
    why: str


def metrics_diff(path: Path) -> str:
    """A short Markdown section about the metrics.json at `path`. Raises InputError if that cannot be read.

    Whatever git says, or the last report looks like, is no error: the section says so.
    """
    new = read_json(path)
    last = _committed(path)
    return "\n".join(["## What changed since the last report\n", *_section(last, new)])


def _section(last: Last, new: Document) -> Iterator[str]:
    if last.document is None:
        yield f"{last.why}\n"
    elif last.document == new:
        yield "Nothing: metrics.json is the one of HEAD.\n"
    else:
        yield from _systems(last.document["systems"], new["systems"])
        yield from _settings(last.document, new)


def _committed(path: Path) -> Last:
    """metrics.json as HEAD has it."""
    # `./`: seen from that folder, wherever in the repository the project lies.
    command = ["git", "show", f"HEAD:./{path.name}"]
    try:
        answer = subprocess.run(command, cwd=path.parent, capture_output=True)
    except FileNotFoundError:
        return Last(None, "Unknown: there is no git on this machine.")
    if answer.returncode != 0:
        return Last(None, f"Unknown: git has no earlier {path.name} here.")
    try:
        document = json.loads(answer.stdout)
    except ValueError:
        document = None
    if not _readable(document):
        return Last(None, f"Unknown: {path.name} of HEAD is of another form.")
    return Last(document, "")


def _readable(document: Any) -> bool:
    """Whether the document has the parts that are compared."""
    systems = document.get("systems") if isinstance(document, dict) else None
    return isinstance(systems, dict) and all(map(_readable_system, systems.values()))


def _readable_system(system: Any) -> bool:
    if not (isinstance(system, dict) and isinstance(system.get("title"), str) and isinstance(system.get("mean"), dict)):
        return False
    return all(isinstance(system["mean"].get(measure), int | float | None) for measure in COLUMNS)


def _systems(old: Document, new: Document) -> Iterator[str]:
    for word, names, document in (("added", new.keys() - old.keys(), new), ("removed", old.keys() - new.keys(), old)):
        titles = [escape(system["title"]) for variant, system in document.items() if variant in names]
        yield from _list(f"Systems {word}", titles)
    both = [variant for variant in new if variant in old]
    moved = [variant for variant in both if any(_moved(old[variant], new[variant], measure) for measure in COLUMNS)]
    # The largest change of BLEU first, then the order of the tables.
    moved.sort(key=lambda variant: -_change(old[variant], new[variant]))
    if moved:
        rows = tuple(
            (new[v]["title"], tuple(_cell(old[v], new[v], measure) for measure in COLUMNS)) for v in moved[:MOST]
        )
        yield f"Systems whose numbers moved: {len(moved)} of {len(both)}, the largest change of BLEU first.\n"
        yield markdown(Table(("System", *COLUMNS.values()), rows))
        if len(moved) > MOST:
            yield f"… and {len(moved) - MOST} more.\n"
    elif both:
        yield "No system's BLEU, TER, perplexity, AER or ROT moved by more than rounding.\n"


def _moved(old: Document, new: Document, measure: str) -> bool:
    """By more than rounding; a measure that the last report did not know has not moved."""
    return measure in old["mean"] and _written(old, measure) != _written(new, measure)


def _written(system: Document, measure: str) -> str:
    value = system["mean"].get(measure)
    return MISSING if value is None else f"{value:.2f}"


def _change(old: Document, new: Document) -> float:
    before, after = old["mean"].get("bleu"), new["mean"].get("bleu")
    return 0.0 if before is None or after is None else abs(after - before)


def _cell(old: Document, new: Document, measure: str) -> Cell:
    after = _written(new, measure)
    return Cell(f"{_written(old, measure)} → {after}" if _moved(old, new, measure) else after)


def _settings(old: Document, new: Document) -> Iterator[str]:
    """What the numbers depend on, key by key."""
    before, after = (dict(leaves(_rest(document))) for document in (old, new))
    lines = [
        f"{escape(key)}: {_shown(before, key)} → {_shown(after, key)}"
        for key in dict.fromkeys([*before, *after])
        if (key in before, before.get(key)) != (key in after, after.get(key))
    ]
    yield from _list("Settings, data and versions that differ", lines)


def _rest(document: Document) -> dict[str, Any]:
    """But the systems, and what was found about them."""
    return {key: value for key, value in document.items() if key not in ("systems", "marks", "claims", "hours")}


def _shown(settings: Mapping[str, Any], key: str) -> str:
    if key not in settings:
        return MISSING
    text = json.dumps(settings[key], ensure_ascii=False)
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def _list(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{heading}:\n"
        yield from (f"- {line}" for line in lines[:MOST])
        if len(lines) > MOST:
            yield f"- … and {len(lines) - MOST} more"
        yield ""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="whose report, below reports/")
    args = parser.parse_args(arguments)
    print(metrics_diff(Path("reports") / args.study / "metrics.json"))


if __name__ == "__main__":
    run(main)
