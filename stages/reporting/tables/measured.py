"""The numbers of metrics.json as tables show them: by their path, with marks of significance."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from stages.reporting import recipe
from stages.reporting.marks import Marks, marks_of
from stages.reporting.metrics import Document, leaves
from stages.reporting.ranking import ALIGNER, CANDIDATES, ENSEMBLE, LONGER
from stages.reporting.tables.columns import AVERAGE
from stages.reporting.tables.table import MISSING, Cell, Column, Table, build, without_arrow

LEFT_OUT = {
    LONGER: "any of a system that was trained for longer",
    ENSEMBLE: "any of an ensemble of models",
    CANDIDATES: "the perplexity of a system that learned among candidates only",
    ALIGNER: "links of a word aligner",
}
"""Values that do not compete, by why."""

BELONGS = {"bleu": "references", "decoding": "other_decoding"}
"""Key of a recipe -> what some recipes have that goes with it."""

SHARED_MARKS = "an average has the marks that every test set has"


class Measured(NamedTuple):
    """frame: a row a system with `title` and, of every number below `mean` in metrics.json, `<path>` and `<path>_sd`.

    marks: by system and path, those of an average where every test set has them.
    """

    frame: pd.DataFrame
    marks: Marks


def measured(document: Document) -> Measured:
    """From the content of a metrics.json."""
    return Measured(_numbers(document), marks_of(document["marks"]))


def _numbers(document: Document) -> pd.DataFrame:
    rows = {}
    for variant, system in document["systems"].items():
        deviations = {f"{path}_sd": value for path, value in leaves(system["sd"])}
        why = document.get("apart", {}).get(variant, "")
        rows[variant] = {"title": system["title"], "apart": why, **dict(leaves(system["mean"])), **deviations}
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant")
    return frame.astype({column: float for column in frame if column not in ("title", "apart")})


def shown(of: Measured, columns: Sequence[Column], needed: Iterable[str] = ()) -> Table | None:
    """The systems that have one of `needed` (of all columns, if none is named), and the columns that one of them has.

    None if nothing is left.
    """
    names = list(needed) or [column.measure for column in columns]
    frame = of.frame[of.frame[names].notna().any(axis=1)]
    left = [column for column in columns if frame[column.measure].notna().any()]
    return build(frame, left, of.marks) if left else None


def averages(of: Measured, columns: Sequence[Column]) -> list[Column]:
    """The columns over all test sets together; as they are where a measure is of no test set."""
    paths = ((column, f"{AVERAGE}{column.measure}") for column in columns)
    return [column._replace(measure=path) if path in of.frame else column for column, path in paths]


def notes(document: Document, tables: Iterable[Table], keys: Sequence[str]) -> tuple[str, ...]:
    """What of the recipe a reader of the tables must know: `keys`, the seeds, and the marks if there are any.

    With a signature of BLEU goes how many references a sentence has, where test sets differ in that; with how systems
    decode, which ones do otherwise.
    """
    tables = list(tables)
    made = document["recipe"]
    seeds = made["seeds"]
    numbers = ", ".join(map(str, seeds))
    spread = f"mean ± standard deviation over the seeds {numbers}" if len(seeds) > 1 else f"seed {numbers}"
    cells = [cell for table in tables for cell in table.cells]
    marked = any(cell.marks for cell in cells)
    shared = (SHARED_MARKS,) if marked and len(made["data"]["tests"]) > 1 else ()
    best = ("bold: the best of its column",) if any(cell.best for cell in cells) else ()
    if best and (apart := left_out(tables)):
        best = (f"{best[0]}; no value that does not compare: {apart}",)
    spec = [one for key in keys for one in (key, BELONGS.get(key)) if one]
    spec += ["differences"] if marked else []
    return (*recipe.short(made, spec), *shared, spread, *best)


def left_out(tables: Iterable[Table]) -> str:
    """Whose values in the tables do not compete."""
    apart = {
        (cell.apart, name): None
        for table in tables
        for name, (_, cells) in zip(table.names, table.rows, strict=False)  # tables of no systems have no names
        for cell in cells
    }
    found = {why: [name for reason, name in apart if reason == why] for why in LEFT_OUT}
    return "; ".join(f"{LEFT_OUT[why]} ({', '.join(names)})" for why, names in found.items() if names)


def test_sets(document: Document) -> str:
    """Which sets the average is over."""
    tests = document["recipe"]["data"]["tests"]
    return f"mean over the test sets {', '.join(tests)}" if len(tests) > 1 else f"test set {tests[0]}"


def append(table: Table, rows: Mapping[str, Mapping[str, float | None]], columns: Sequence[Column]) -> Table:
    """`rows` (title -> heading without arrow -> value) below the table; they do not compete for the best."""
    written = {column.heading: column.write for column in columns}
    below = []
    for title, values in rows.items():
        cells = []
        for heading in table.headings[1:]:
            name = without_arrow(heading)
            value = values.get(name)
            cells.append(Cell(MISSING) if value is None else Cell(written[name](value), number=value))
        below.append((title, tuple(cells)))
    return table._replace(rows=(*table.rows, *below), names=(*table.names, *("" for _ in below)))
