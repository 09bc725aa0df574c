"""What every system comes to on every corpus: a row a system, a column a measure and study."""

from collections.abc import Iterable, Sequence

from stages.files.run_directory import STATISTICAL
from stages.reporting.overview.study import Study
from stages.reporting.tables.measured import measured, shown
from stages.reporting.tables.table import MISSING, Cell, Column, Table, without_arrow
from stages.reporting.tables.written import percent

COLUMNS = (
    Column("bleu", "BLEU", "high", percent),
    Column("ter", "TER", "low", percent),
    Column("perplexity", "dev perplexity", "low", percent),
    Column("aer", "AER", "low", percent),
    Column("rot", "ROT", "low", percent),
)


def systems_table(studies: Sequence[Study], columns: Sequence[Column] = COLUMNS, only: Sequence[str] = ()) -> Table:
    """The systems of the studies, in the order of the study with the most of them; or those of `only`, in its order.

    What a study's main table has of them; in bold the best of the study, of the systems that stand here. A measure that
    no system of a study has is no column of it.
    """
    parts = {study.name: _part(study, columns, only) for study in studies}
    cells = {
        (name, system, without_arrow(heading)): cell
        for name, part in parts.items()
        for system, (_, row) in zip(part.names, part.rows, strict=True)
        for heading, cell in zip(part.headings[1:], row, strict=True)
    }
    there = [
        (column, name)
        for column in columns
        for name, part in parts.items()
        if column.heading in map(without_arrow, part.headings)
    ]
    titles = _titles(parts.values(), only)
    rows = (
        (title, tuple(cells.get((name, system, column.heading), Cell(MISSING)) for column, name in there))
        for system, title in titles.items()
    )
    headings = tuple(f"{name}: {_with_arrow(parts[name], column)}" for column, name in there)
    return Table(("System", *headings), tuple(rows), tuple(titles))


def _part(study: Study, columns: Sequence[Column], only: Sequence[str]) -> Table:
    found = measured(study.document)
    asked = found.frame.index.isin(list(only)) if only else slice(None)
    of = found._replace(frame=found.frame[asked], marks={})
    known = [column for column in columns if column.measure in of.frame]
    return shown(of, known) or Table(("System",), ())


def _titles(parts: Iterable[Table], only: Sequence[str]) -> dict[str, str]:
    """By system; but for `only`, what is no neural system comes last."""
    titles: dict[str, str] = {}
    for part in sorted(parts, key=lambda part: -len(part.rows)):
        for name, (title, _) in zip(part.names, part.rows, strict=True):
            titles.setdefault(name, title)
    order = [name for name in only if name in titles] or sorted(titles, key=STATISTICAL.__contains__)
    return {name: titles[name] for name in order}


def _with_arrow(part: Table, column: Column) -> str:
    return next(heading for heading in part.headings if without_arrow(heading) == column.heading)
