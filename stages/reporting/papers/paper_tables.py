"""The figures of the papers, read from one file a paper: `<name>.yaml` in this folder."""

import re
from collections.abc import Container
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import ConfigDict, Field, PlainValidator, model_validator

from stages.reporting.tables.table import MISSING
from stages.settings.params import Settings, read, validate

FOLDER = Path(__file__).parent
NAMES = ("bahdanau-2015", "mi-2016", "review-2018", "kuang-2018", "xue-2019")
"""In the order of their years."""

FIGURE = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d+(\.\d+)?)(?P<marks>[‡⋆]*)")
HUNDREDTH = Decimal("0.01")
MEAN_TOLERANCE = HUNDREDTH
"""By which a printed mean may differ from that of the printed values: they are rounded too, and some papers cut off."""


class PrintedNumber(NamedTuple):
    """A number with the digits that the paper prints; None where it prints none.

    difference: it is not a value but what a system gains over another. marks: the paper's marks of significance.
    """

    number: Decimal | None
    difference: bool = False
    marks: str = ""

    def __str__(self) -> str:
        if self.number is None:
            return MISSING
        return f"{self.number:{'+' if self.difference else ''}}{self.marks}"


def parse_numbers(text: str) -> tuple[PrintedNumber, ...]:
    """The figures of a row, separated by blanks: `44.25`, `43.73‡`, `+1.41` (a difference) or `–` (none).

    Raises:
        ValueError: a word is none of these.
    """
    if not isinstance(text, str):
        raise ValueError("quote a figure that stands alone, so that its digits are kept")
    return tuple(PrintedNumber(None) if word == MISSING else _figure(word) for word in text.split())


def _figure(word: str) -> PrintedNumber:
    match = FIGURE.fullmatch(word)
    if not match:
        raise ValueError(f"{word!r} is not a figure")
    return PrintedNumber(Decimal(match["sign"] + match["digits"]), bool(match["sign"]), match["marks"])


class Printed(Settings):
    """What a paper prints: nothing is converted, so that a slip in a file is an error."""

    model_config = ConfigDict(strict=True)


class Counterpart(Printed):
    """The measure of the study that a column stands beside.

    measure: dotted path below the mean of a system in metrics.json. better: None where neither way is.
    unit: the number of metrics.json that the paper writes as 1.
    """

    measure: str
    better: Literal["high", "low"] | None
    unit: Annotated[int, Field(gt=0)] = 1


class PaperColumn(Printed):
    """counterpart: None where the study has none, as for one test set of the papers: ours has other test sets.

    mean_of: the columns that this one averages. computed: the paper does not print it.
    """

    label: str
    counterpart: Counterpart | None = None
    mean_of: list[str] = Field(default_factory=list)
    computed: bool = False

    @model_validator(mode="after")
    def _computable(self) -> Self:
        if self.computed and not self.mean_of:
            raise ValueError(f"{self.label}: a computed column needs mean_of")
        return self


class PaperRow(Printed):
    """A system of the paper, and either our variant or why the study does not run it.

    part: what the row is about where a system has several, such as a part of speech; differences are within a part.
    figures: one for each column that is printed.
    against: label of the row that its difference is to, where that is not the table's baseline.
    base: the variant that our difference is to, where ours is built on another system than the paper's.
    otherwise: the variant on the paper's own base, which stands for the row in a study that has it and not `variant`.
    counterparts: by column, for tables whose rows differ in what they measure.
    """

    label: str
    part: str | None = None
    variant: str | None = None
    not_run: str | None = None
    figures: Annotated[tuple[PrintedNumber, ...], PlainValidator(parse_numbers)]
    against: str | None = None
    base: str | None = None
    otherwise: str | None = None
    counterparts: dict[str, Counterpart] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.variant is None) == (self.not_run is None):
            raise ValueError(f"{self.label}: give either variant or not_run")
        return self

    @property
    def heading(self) -> str:
        """Label and part."""
        return f"{self.label}, {self.part}" if self.part else self.label

    def among(self, systems: Container[str]) -> Self:
        """The row with the variant that stands for it in a study of these systems."""
        if self.variant in systems or self.otherwise not in systems:
            return self
        return self.model_copy(update={"variant": self.otherwise, "base": None})


class PaperWord(Printed):
    """A frequent source word (None: lost in the text at hand), the target word that the transform finds nearest to it,
    and the best one of the lexical table."""

    source: str | None
    nearest: str
    lexicon: str


class PaperTable(Printed):
    """number: where it stands. pair: languages. data and sizes: what the paper's systems were trained with.

    baseline: label of the row that differences are to. misprinted: labels of rows whose mean does not recompute.
    words: of a table of words, from the most frequent on.
    """

    number: str
    caption: str
    pair: str
    data: str
    sizes: str
    baseline: str | None
    columns: list[PaperColumn]
    rows: list[PaperRow]
    misprinted: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    words: list[PaperWord] = Field(default_factory=list)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        labels = {column.label for column in self.columns}
        printed = sum(not column.computed for column in self.columns)
        if len(labels) < len(self.columns) or len({row.heading for row in self.rows}) < len(self.rows):
            raise ValueError(f"{self.number}: two columns or two rows have the same label")
        if unknown := {label for column in self.columns for label in column.mean_of} - labels:
            raise ValueError(f"{self.number}: mean_of names no column: {', '.join(sorted(unknown))}")
        if unknown := set(self.misprinted) - {row.label for row in self.rows}:
            raise ValueError(f"{self.number}: misprinted names no row: {', '.join(sorted(unknown))}")
        for row in self.rows:
            self.reference(row)
            if len(row.figures) != printed:
                raise ValueError(f"{self.number}, {row.heading}: {len(row.figures)} figures for {printed} columns")
            if unknown := set(row.counterparts) - labels:
                raise ValueError(f"{self.number}, {row.heading}: no column {', '.join(sorted(unknown))}")
            if self._recomputes(row) == (row.label in self.misprinted):
                raise ValueError(f"{self.number}, {row.heading}: correct its mean or the list `misprinted`")
        return self

    def reference(self, row: PaperRow) -> PaperRow | None:
        """The row that the difference of `row` is to; None for the baseline itself, or where there is none."""
        against = row.against or self.baseline
        if against in (None, row.label):
            return None
        for each in self.rows:
            if (each.label, each.part) == (against, row.part):
                return each
        raise ValueError(f"{self.number}, {row.heading}: there is no row {against} of the same part")

    def figures(self, row: PaperRow) -> dict[str, PrintedNumber]:
        """By column, with the means that the paper does not print (two digits)."""
        printed = iter(row.figures)
        found = {column.label: next(printed) for column in self.columns if not column.computed}
        return {
            column.label: PrintedNumber(round(_mean(found, column), 2)) if column.computed else found[column.label]
            for column in self.columns
        }

    def _recomputes(self, row: PaperRow) -> bool:
        figures = self.figures(row)
        means = {column.label: _mean(figures, column) for column in self.columns if column.mean_of}
        printed = {label: figures[label].number for label in means}
        return all(
            number is not None and abs(number - means[label]) <= MEAN_TOLERANCE for label, number in printed.items()
        )


class Paper(Printed):
    """paper: authors and year."""

    paper: str
    title: str
    tables: list[PaperTable]


def _mean(figures: dict[str, PrintedNumber], column: PaperColumn) -> Decimal:
    numbers = [number for label in column.mean_of if (number := figures[label].number) is not None]
    if len(numbers) < len(column.mean_of):
        raise ValueError(f"{column.label}: a row lacks one of the figures that it averages")
    return sum(numbers, Decimal()) / len(numbers)


def load_paper(name: str, folder: Path = FOLDER) -> Paper:
    """One of `NAMES`.

    Raises:
        InputError: a key is unknown, missing or wrong, or figures of a table contradict each other.
    """
    path = folder / f"{name}.yaml"
    return validate(read(path), Paper, name, path)
