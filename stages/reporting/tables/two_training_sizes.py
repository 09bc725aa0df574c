"""Quality at two training sizes: a study beside the same one on less training text."""

from collections.abc import Iterable, Iterator, Mapping
from math import nan
from typing import Any

import pandas as pd

from stages.files.errors import InputError
from stages.reporting.comparable import StudyMetrics, check, tested_alike
from stages.reporting.tables.columns import AVERAGE, columns
from stages.reporting.tables.measured import Measured, measured, notes, test_sets
from stages.reporting.tables.table import Column, ReportTable, Table, build, count, signed

MEASURES = (*columns("bleu", "ter_minus_bleu_half", above=AVERAGE), *columns("aer", "perplexity"))
RECIPE = ("bleu", "checkpoint", "decoding", "alignment", "perplexity")
SETTINGS = ("model", "training", "decoding", "seeds")
"""Keys of the recipe that are better the same in both studies."""

MARKED = (
    "marks stand behind Δ, against systems of the same size; Holm's correction is for all rows of the report of that "
    "size, not of this table"
)
NOT_MARKED = "no marks of significance: the smaller size is compared with other systems, or by another test"
PIECES = "the pieces of each size are learnt from its own text, so its perplexities compare with each other only"


def training_sizes(smaller: StudyMetrics, larger: StudyMetrics) -> ReportTable:
    """A part a measure.

    Raises:
        InputError: the two reports do not measure in the same way on the same sets, or have no system in common.
    """
    check(smaller, larger)
    document = larger.document
    baseline = document["marks"]["baseline"]
    sizes = {f"{count(of.training_pairs)} pairs": of for of in (smaller, larger)}
    alike = tested_alike(smaller, larger)
    numbers = {size: measured(of.document) for size, of in sizes.items()}
    parts = dict(_parts(numbers if alike else {size: of._replace(marks={}) for size, of in numbers.items()}, baseline))
    if not parts:
        raise InputError(
            f"{smaller.path} and {larger.path} have no system in common that was measured; take {smaller.study} off "
            f"`training_sizes` of study {larger.study} in params.yaml"
        )
    title = document["systems"][baseline]["title"]
    return ReportTable(
        name=smaller.study,
        title=f"Quality at two training sizes: {smaller.study} and {larger.study}",
        about=f"The same systems trained on {' and on '.join(sizes)}; Δ: the difference to {title} of that size.",
        mirrors="Mi et al. (2016), Table 2",
        parts=parts,
        notes=(
            f"the smaller size: study {smaller.study}; the larger: study {larger.study}",
            test_sets(document),
            *notes(document, parts.values(), RECIPE),
            *_marks_note(alike, parts.values()),
            PIECES,
            *_other_settings(smaller.document["recipe"], document["recipe"]),
        ),
    )


def _parts(sizes: Mapping[str, Measured], baseline: str) -> Iterator[tuple[str, Table]]:
    """sizes: both reports by the heading of their size, the smaller first. The systems that both have, in the order of
    the larger; the measures that both have."""
    smaller, larger = (of.frame for of in sizes.values())
    shared = [name for name in larger.index if name in smaller.index]
    for measure in MEASURES:
        if all(
            measure.measure in of.frame and of.frame.loc[shared, measure.measure].notna().any() for of in sizes.values()
        ):
            columns = [column for size in sizes for column in _columns(measure, size)]
            values = [_values(of.frame, measure, size, baseline) for size, of in sizes.items()]
            table = pd.concat([larger[["title", "apart"]], *values], axis=1).loc[shared]
            yield measure.heading, build(table, columns, _marks(sizes, measure))


def _marks(sizes: Mapping[str, Measured], measure: Column) -> dict[tuple[str, str], str]:
    """Those of each size, for its differences."""
    return {
        (variant, _change(size)): marks
        for size, of in sizes.items()
        for (variant, path), marks in of.marks.items()
        if path == measure.measure
    }


def _marks_note(alike: bool, tables: Iterable[Table]) -> tuple[str, ...]:
    """Below what the recipe says of the marks, or why there are none; nothing if no difference is more than chance."""
    if not alike:
        return (NOT_MARKED,)
    return (MARKED,) if any(cell.marks for table in tables for cell in table.cells) else ()


def _columns(measure: Column, size: str) -> tuple[Column, Column]:
    """The measure at one size, and its difference to the baseline."""
    heading = f"{measure.heading}, {size}"
    change = _change(size)
    value = Column(heading, heading, measure.better, measure.write, shows=measure.measure)
    return value, Column(change, change, None, signed)


def _change(size: str) -> str:
    """Heading of the differences at one size."""
    return f"Δ, {size}"


def _values(frame: pd.DataFrame, measure: Column, size: str, baseline: str) -> pd.DataFrame:
    """What `_columns` show, each with its deviation. No difference of the baseline, or without it."""
    value = frame[measure.measure]
    change = value - value[baseline] if baseline in value else value * nan
    contents = (value, frame[f"{measure.measure}_sd"], change.where(change.index != baseline), nan)
    names = [name for column in _columns(measure, size) for name in (column.measure, f"{column.measure}_sd")]
    return pd.DataFrame(dict(zip(names, contents, strict=True)))


def _other_settings(smaller: Mapping[str, Any], larger: Mapping[str, Any]) -> Iterator[str]:
    other = [key for key in SETTINGS if smaller.get(key) != larger.get(key)]
    if other:
        yield f"not only the training text differs: {', '.join(other)}"
