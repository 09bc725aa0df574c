"""What every system comes to in each study: a row a system, a column a measure and study."""

from collections.abc import Iterable, Sequence

from stages.files.run_directory import STATISTICAL
from stages.reporting.overview.study import Study
from stages.reporting.tables.columns import columns
from stages.reporting.tables.measured import averages, measured, shown
from stages.reporting.tables.table import ARROWS, MISSING, Cell, Table

MEASURES = ("bleu", "ter", "perplexity", "aer", "rot")


def systems_table(studies: Sequence[Study], measures: Sequence[str] = MEASURES, only: Sequence[str] = ()) -> Table:
    """The systems of the studies, in the order of the study with the most of them; or those of `only`, in its order.

    measures: of the main table of a study. A cell is the mean over the test sets where a measure is of translations, as
    the claims have it, in bold the best of all systems of the study. A measure that no system of a study has is no
    column of it. Headings name the study, but not where there is one alone.
    """
    wanted = columns(*measures)
    numbers = {study.name: measured(study.document)._replace(marks={}) for study in studies}
    parts = {name: shown(of, averages(of, wanted)) or Table((), ()) for name, of in numbers.items()}
    cells = {
        (name, heading, system): cell
        for name, part in parts.items()
        for system, (_, row) in zip(part.names, part.rows, strict=True)
        for heading, cell in zip(part.headings[1:], row, strict=True)
    }
    headings = [column.heading + ARROWS[column.better] for column in wanted]
    there = [(name, heading) for heading in headings for name, part in parts.items() if heading in part.headings]
    titles = _titles(parts.values(), only)
    rows = (
        (title, tuple(cells.get((*column, system), Cell(MISSING)) for column in there))
        for system, title in titles.items()
    )
    names = (heading for _, heading in there) if len(studies) == 1 else map(": ".join, there)
    return Table(("System", *names), tuple(rows), tuple(titles))


def _titles(parts: Iterable[Table], only: Sequence[str]) -> dict[str, str]:
    """By system; but for `only`, what is no neural system comes last."""
    titles: dict[str, str] = {}
    for part in sorted(parts, key=lambda part: -len(part.rows)):
        for name, (title, _) in zip(part.names, part.rows, strict=True):
            titles.setdefault(name, title)
    order = [name for name in only if name in titles] if only else sorted(titles, key=STATISTICAL.__contains__)
    return {name: titles[name] for name in order}
