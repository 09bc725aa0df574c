"""The other toolkits as a table of the benchmark's page."""

from typing import Any

from benchmarks.spread import NONE, shown
from benchmarks.systems import BASE

HEAD = f"""## Other toolkits

Additive attention and one layer on either side in other toolkits, from PyPI, each in an environment of its own but with
the study's torch; equal widths, lengths, batch, threads and label smoothing, random words. × `{BASE}`: how many times
faster `{BASE}` trains and translates, in the same run.

| toolkit | tokens/s | × `{BASE}` | sentences/s | × `{BASE}` | |
|---|---:|---:|---:|---:|---|"""


def toolkits_table(content: dict[str, Any]) -> str:
    """Of what ``Results.summary`` returned; empty where no toolkit was measured."""
    found: dict[str, dict[str, Any]] = content["toolkits"]
    lines = [HEAD] if found else []
    for name, row in found.items():
        base = content["sizes"][row["size"]]["systems"].get(BASE, {})
        cells = [f"`{name}`"]
        for key in ("tokens_per_second", "sentences_per_second"):
            cells += [shown(row[key]), _times(base.get(key), row[key])]
        said = f"{row['title']}; failed: {row['failed']}" if row["failed"] else row["title"]
        lines.append(f"| {' | '.join(cells)} | {said} |")
    return "\n".join([*lines, ""]) if lines else ""


def _times(base: dict[str, float] | None, other: dict[str, float] | None) -> str:
    return f"{base['median'] / other['median']:.2f}" if base and other else NONE
