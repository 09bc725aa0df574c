"""What the page shows at once, ready for JSON: findings, tables and figures."""

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from stages.reporting import outputs
from stages.reporting.claims.claims import is_own
from stages.reporting.claims.judged import AGREES, DISAGREES, Judged
from stages.reporting.figures.layout import Caption
from stages.reporting.tables.all_tables import LOOKED_INTO
from stages.reporting.tables.claims import spoken_of, summary_of
from stages.reporting.tables.table import ReportTable, Table

SIDES = ("agrees", "undecided", "disagrees")


def findings(judged: Sequence[Judged], caution: str) -> dict[str, Any]:
    """{"text", "headings", "rows"}: a few sentences and, of each paper, of all papers and of our own, how many claims
    are on each side.

    No rows where no claim has a verdict. caution: a sentence to begin with, or nothing.
    """
    counts: dict[str, Counter[str]] = {}
    own: dict[str, Counter[str]] = {}
    for one in spoken_of(judged):
        where = own if is_own(one.claim.id) else counts
        where.setdefault(one.claim.paper, Counter())[_side(one)] += 1
    together = {"All papers" if own else "All": sum(counts.values(), Counter())} if len(counts) > 1 else {}
    rows = [*counts.items(), *together.items(), *own.items()]
    return {
        "text": f"{caution} {summary_of(judged)}".lstrip(),
        "headings": ["Claims of", *SIDES],
        "rows": [[paper, *(str(of[side]) for side in SIDES)] for paper, of in rows],
    }


def _side(one: Judged) -> str:
    """Of what comes close to 0 or to the printed gain, too, the text says more."""
    if one.verdict in AGREES:
        return "agrees"
    return "disagrees" if one.verdict in DISAGREES else "undecided"


def page_tables(entries: Sequence[ReportTable]) -> list[dict[str, Any]]:
    """{"title", "about", "notes", "parts": [{"name", "headings", "words", "lower", "top", "rows"}]}; `words`: numbers
    of the columns that hold no numbers, `lower`: of those in which less is better; `top`: how many rows stay above the
    others; a row is its title and, per cell, [text, best, marks]."""
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
        "lower": [k for k, heading in enumerate(table.headings) if heading.endswith("↓") or heading in table.lower],
        "top": next((k for k, name in enumerate(table.names) if name), 0),
        "rows": [[title, *([cell.text, cell.best, cell.marks] for cell in cells)] for title, cells in table.rows],
    }


LIMIT = 1_600_000
"""Characters of all figures together: the explorer needs the rest of the page."""


class PageFigure(NamedTuple):
    """title, about: in its place for who does not see it; file: from the report's folder; data: a data URI, None for a
    figure that stays beside the page for its size."""

    title: str
    about: str
    file: str
    data: str | None


def page_figures(folder: Path, captions: Mapping[str, Caption]) -> list[PageFigure]:
    """Those of `captions` (by the name of a figure, in their order) that the report in `folder` has.

    Where they do not all fit, the largest are not inside.
    """
    files = {name: f"{outputs.FIGURES}/{name}.png" for name in captions}
    found = {name: _uri(folder / file) for name, file in files.items() if (folder / file).exists()}
    by_size = sorted(found, key=lambda name: len(found[name]))
    taken = accumulate(len(found[name]) for name in by_size)
    inside = {name for name, total in zip(by_size, taken, strict=True) if total <= LIMIT}
    return [
        PageFigure(captions[name].title, captions[name].further, files[name], uri if name in inside else None)
        for name, uri in found.items()
    ]


LINKS = {
    "The report's first page": outputs.PAGE,
    "Examples": outputs.EXAMPLES,
    "All tables": f"{outputs.TABLES}/README.md",
    "Tables of the papers beside ours": f"{outputs.TABLES}/papers/papers.md",
    "What was tried where a result surprised": f"{outputs.TABLES}/{LOOKED_INTO}",
}


def page_links(folder: Path) -> list[tuple[str, str]]:
    """(what it is, its path) of those of `LINKS` that the report in `folder` has."""
    return [(title, file) for title, file in LINKS.items() if (folder / file).exists()]


def _uri(path: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
