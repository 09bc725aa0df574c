"""Quality at two training sizes: this study beside the same one on less training text."""

import json
from collections.abc import Iterable, Iterator, Mapping
from math import nan
from typing import Any

import pandas as pd

from stages.reporting.smaller import Smaller, check, tested_alike, training_pairs
from stages.reporting.study import Study
from stages.reporting.table import Column, Table, build
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.measured import AVERAGE, Measured, measured, notes, numbers, test_sets
from stages.reporting.tables.written import count, percent, signed

MEASURES = (
    Column(f"{AVERAGE}bleu", "BLEU", "high", percent),
    Column(f"{AVERAGE}ter_minus_bleu_half", "(TER−BLEU)/2", "low", percent),
    Column("aer", "AER", "low", percent),
    Column("perplexity", "dev perplexity", "low", percent),
)
RECIPE = ("bleu", "checkpoint", "decoding", "alignment", "perplexity")
SETTINGS = ("model", "training", "decoding", "seeds")
"""Keys of the recipe that are better the same in both studies."""

MARKED = (
    "marks stand behind Δ, against systems of the same size; Holm's correction is for all rows of the report of that "
    "size, not of this table"
)
NOT_MARKED = "no marks of significance: comparisons of the smaller size are missing, or with other systems or tests"
PIECES = "the pieces of each size are learnt from its own text, so its perplexities compare with each other only"


def training_sizes(study: Study, larger: Measured) -> Entry | None:
    """A part a measure; None without a report of less training text, or without a row that both reports have.

    Raises:
        InputError: the two reports do not measure in the same way on the same sets.
    """
    smaller = study.smaller
    if smaller is None or smaller.document is None:
        return None
    check(smaller, study.document)
    sizes = [f"{count(training_pairs(document))} pairs" for document in (smaller.document, study.document)]
    parts = dict(_parts(dict(zip(sizes, _both(study, larger), strict=True)), study.asked.compare.baseline))
    if not parts:
        return None
    baseline = study.asked.titles[study.asked.compare.baseline]
    return Entry(
        name="training_sizes",
        title="Quality at two training sizes",
        about=f"The same systems trained on {' and on '.join(sizes)}; Δ: the difference to {baseline} of that size.",
        mirrors="Mi et al. (2016), Table 2",
        parts=parts,
        notes=(
            f"the smaller size: corpus {smaller.corpus}",
            test_sets(study),
            *notes(study, parts.values(), RECIPE),
            *_marks_note(study, parts.values()),
            PIECES,
            *_other_settings(smaller.document["recipe"], study.document["recipe"]),
        ),
    )


def how_to_make(smaller: Smaller | None) -> tuple[str, ...]:
    """The line of a report that lacks this table, though params.yaml asks for it."""
    if smaller is None or smaller.document is not None:
        return ()
    return (
        f"no table of two training sizes: {smaller.path} is missing; set corpus: {smaller.corpus} in params.yaml, run "
        f"make repro, set corpus: {smaller.larger.parent.name} again and run it once more",
    )


def _both(study: Study, larger: Measured) -> tuple[Measured, Measured]:
    """The smaller size and the larger; without marks unless those of one mean the same as those of the other."""
    document, compared = study.smaller.document, study.smaller.compared
    if tested_alike(study.smaller, study.document):
        return measured(document, compared), larger
    return Measured(numbers(document), {}), larger._replace(marks={})


def _parts(sizes: Mapping[str, Measured], baseline: str) -> Iterator[tuple[str, Table]]:
    """sizes: both reports by the heading of their size, the smaller first. The rows that both have, in the order of the
    larger; the measures that both have."""
    smaller, larger = (of.frame for of in sizes.values())
    shared = [name for name in larger.index if name in smaller.index]
    for measure in MEASURES:
        if all(
            measure.measure in of.frame and of.frame.loc[shared, measure.measure].notna().any() for of in sizes.values()
        ):
            columns = [column for size in sizes for column in _columns(measure, size)]
            values = [_values(of.frame, measure, size, baseline) for size, of in sizes.items()]
            table = pd.concat([larger["title"], *values], axis=1).loc[shared]
            yield measure.heading, build(table, columns, _marks(sizes, measure))


def _marks(sizes: Mapping[str, Measured], measure: Column) -> dict[tuple[str, str], str]:
    """Those of each size, for its differences."""
    return {
        (variant, _change(size)): marks
        for size, of in sizes.items()
        for (variant, path), marks in of.marks.items()
        if path == measure.measure
    }


def _marks_note(study: Study, tables: Iterable[Table]) -> tuple[str, ...]:
    """Below what the recipe says of the marks, or why there are none; nothing if no difference is more than chance."""
    if not tested_alike(study.smaller, study.document):
        return (NOT_MARKED,)
    return (MARKED,) if any(cell.marks for table in tables for cell in table.cells) else ()


def _columns(measure: Column, size: str) -> tuple[Column, Column]:
    """The measure at one size, and its difference to the baseline."""
    heading = f"{measure.heading}, {size}"
    change = _change(size)
    return Column(heading, heading, measure.better, measure.write), Column(change, change, None, signed)


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
    """What else is not the same, as JSON writes it: the first recipe is from a file, the second may hold tuples."""
    other = [key for key in SETTINGS if json.dumps(smaller.get(key)) != json.dumps(larger.get(key))]
    if other:
        yield f"not only the training text differs: {', '.join(other)}"
