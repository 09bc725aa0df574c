"""The claims of the papers, read from one file a paper: `<name>.yaml` in this folder; and those of our own.

A claim is the sign of a difference between systems. The figures are those of the papers' tables (`papers/`), so that
nothing is typed in twice.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from fairseq_plugins import declarations
from stages.files.run_directory import STATISTICAL
from stages.reporting.papers.paper_tables import NAMES, Paper, PaperColumn, PaperRow, PaperTable, Printed, load_paper
from stages.settings.names import repeated
from stages.settings.params import Name, read, validate

FOLDER = Path(__file__).parent
OWN = "beyond"
"""Name of the file of our own claims, which no paper prints."""
SIGNS: dict[str, Literal[1, -1]] = {"higher": 1, "lower": -1, "equal": 1, "not lower": 1}
NO_DIFFERENCE = ("equal", "not lower")
"""What is claimed where a difference is said not to matter."""
FROM_ZERO = ("coverage_fertility",)
"""Measures that are 0 where there is nothing to find, so that one system by itself is held against 0."""

Words = Annotated[tuple[int, int | None], Field(description="words of the source, from and to; null: any number")]


class PrintedDifference(Printed):
    """Where the paper prints it, in the table named by the claim's `place`.

    row, against: headings of rows; against is None where the row is a difference already.
    """

    row: str
    against: str | None = None
    column: str


class Compared(Printed):
    """The variants that stand for the paper's systems.

    against: None for a claim about one system: between lengths of sentences or measures, or of a measure that is 0
    otherwise. gains_over: variant -> its control; the
    gains over these are compared, for systems that have been trained for different lengths of time.
    """

    system: Name
    against: Name | None = None
    gains_over: dict[Name, Name] = Field(default_factory=dict)

    @property
    def weights(self) -> dict[str, int]:
        """Variant -> by what its value counts in the difference."""
        found: dict[str, int] = {}
        for variant, sign in ((self.system, 1), (self.against, -1)):
            if variant is not None:
                for name, weight in ((variant, sign), (self.gains_over.get(variant), -sign)):
                    if name is not None:
                        found[name] = found.get(name, 0) + weight
        return {name: weight for name, weight in found.items() if weight}

    @model_validator(mode="after")
    def _controls_of_both(self) -> Self:
        if self.gains_over and set(self.gains_over) != {self.system, self.against}:
            raise ValueError("gains_over needs a control of each of the two systems")
        return self


class Claim(Printed):
    """name: of the claim in its paper. says: in one sentence. place: table, section or figure of the paper. basis: None
    where the paper's text says so; `table` where only figures do, which the text does not compare; `reading` where
    neither does, and it is what we read into the paper.

    printed: None where the paper gives no figure. measure: None for that of the printed column, else a path of
    metrics.json below a system, or `perplexity_reverse`. claimed: which way the difference goes, or that it does not
    matter. words: the sentences that are measured; beside_words: those on which the same difference is subtracted;
    beside_measure: by which it is subtracted. sub_words: it is of text without unknown words, and its measure of all
    text.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    says: str
    place: str
    basis: Literal["table", "reading"] | None = None
    printed: PrintedDifference | None = None
    ours: Compared
    measure: str | None = None
    claimed: Literal["higher", "lower", "equal", "not lower"]
    words: Words | None = None
    beside_words: Words | None = None
    beside_measure: str | None = None
    sub_words: bool = False

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.measure is None and self.printed is None:
            raise ValueError(f"{self.name}: give the measure or where it is printed")
        if self.beside_words and not self.words:
            raise ValueError(f"{self.name}: beside_words needs words")
        if self.beside_words and self.beside_measure:
            raise ValueError(f"{self.name}: lengths or measures are held against each other, not both")
        beside = self.beside_words or self.beside_measure or self.measure in FROM_ZERO
        if self.ours.against is None and not beside:
            raise ValueError(f"{self.name}: one system by itself differs in nothing")
        return self


class ClaimsOfPaper(Printed):
    claims: list[Claim]
    notes: list[str]

    @model_validator(mode="after")
    def _named_apart(self) -> Self:
        if names := repeated(claim.name for claim in self.claims):
            raise ValueError(f"two claims have the same name: {names}; give one another")
        return self


class PaperClaim(NamedTuple):
    """A claim with what its paper prints. file: name of the paper's file; paper: authors and year; measure: as in
    `Claim`; difference: None where the paper prints none; control: the printed value that it is a difference from, None
    where there is none. Of our own `file` is `OWN`, and `paper` says so."""

    file: str
    paper: str
    claim: Claim
    measure: str
    difference: Decimal | None
    control: Decimal | None = None

    @property
    def id(self) -> str:
        return f"{self.file}/{self.claim.name}"

    @property
    def place(self) -> str:
        """With what the claim rests on, unless that is the paper's text."""
        return self.claim.place + {None: "", "table": ", figures alone", "reading": ", our reading"}[self.claim.basis]

    @property
    def sign(self) -> Literal[1, -1]:
        return SIGNS[self.claim.claimed]

    @property
    def of_no_difference(self) -> bool:
        return self.claim.claimed in NO_DIFFERENCE


def load_claims(name: str, folder: Path = FOLDER) -> list[PaperClaim]:
    """Of one of `NAMES`.

    Raises:
        InputError: a key is unknown, missing or wrong, or two claims have one name.
        ValueError: a figure is not in the paper's tables, or it has not the sign claimed.
    """
    paper = load_paper(name)
    return [_with_figures(name, paper, claim) for claim in _read(name, folder).claims]


def load_notes(name: str) -> list[str]:
    """What a reader of the claims of one of `NAMES`, or of `OWN`, must know."""
    return _read(name, FOLDER).notes


@cache  # a report asks for them a dozen times
def all_claims() -> tuple[PaperClaim, ...]:
    """Of all papers, in the order of `NAMES`."""
    return tuple(claim for name in NAMES for claim in load_claims(name))


def own_claims(systems: Collection[str] | None = None, folder: Path = FOLDER) -> list[PaperClaim]:
    """Those that compare only these systems; None: all. A study without the systems is not asked them at all.

    Raises:
        InputError: a key is unknown, missing or wrong, or two claims have one name.
        ValueError: one says where a paper prints it.
    """
    found = []
    for claim in _read(OWN, folder).claims:
        if claim.printed is not None or claim.measure is None:
            raise ValueError(f"{OWN}/{claim.name}: it has a measure, and no paper prints it")
        if systems is None or set(claim.ours.weights) <= set(systems):
            found.append(PaperClaim(OWN, "Beyond the papers", claim, claim.measure, None))
    return found


@cache
def beside_text() -> frozenset[str]:
    """Ids of the papers' claims that their text does not make."""
    return frozenset(claim.id for claim in all_claims() if claim.claim.basis)


def is_own(claim: str) -> bool:
    """Whether that is the id of one of our own."""
    return claim.startswith(f"{OWN}/")


def _read(name: str, folder: Path) -> ClaimsOfPaper:
    path = folder / f"{name}.yaml"
    return validate(read(path), ClaimsOfPaper, name, path)


def _with_figures(file: str, paper: Paper, claim: Claim) -> PaperClaim:
    if claim.printed is None:
        assert claim.measure is not None  # or the file would have been refused
        return PaperClaim(file, paper.paper, claim, claim.measure, None)
    where = f"{file}/{claim.name}"
    table = _only([each for each in paper.tables if each.number == claim.place], f"{where}: table {claim.place}")
    column = _only([c for c in table.columns if c.label == claim.printed.column], f"{where}: {claim.printed.column}")
    difference = _difference(table, claim.printed, where)
    if claim.claimed not in NO_DIFFERENCE and difference * SIGNS[claim.claimed] <= 0:
        raise ValueError(f"{where}: claimed {claim.claimed}, but the paper prints a difference of {difference:+}")
    measure = claim.measure or _measure(_row(table, claim.printed.row, where), column, where)
    control = None
    if claim.printed.against is not None:
        control = table.figures(_row(table, claim.printed.against, where))[claim.printed.column].number
    return PaperClaim(file, paper.paper, claim, measure, difference, control)


def _difference(table: PaperTable, printed: PrintedDifference, where: str) -> Decimal:
    figure = table.figures(_row(table, printed.row, where))[printed.column]
    if printed.against is None:
        if not figure.difference or figure.number is None:
            raise ValueError(f"{where}: {printed.row} is no difference; name the row that it is against")
        return figure.number
    against = table.figures(_row(table, printed.against, where))[printed.column]
    if figure.difference or against.difference or figure.number is None or against.number is None:
        raise ValueError(f"{where}: {printed.row} and {printed.against} are not two values")
    return figure.number - against.number


def _row(table: PaperTable, heading: str, where: str) -> PaperRow:
    return _only([row for row in table.rows if row.heading == heading], f"{where}: row {heading}")


def _measure(row: PaperRow, column: PaperColumn, where: str) -> str:
    counterpart = row.counterparts.get(column.label) or column.counterpart
    if counterpart is None:
        raise ValueError(f"{where}: no measure of ours stands beside {column.label}; give the claim one")
    return counterpart.measure


def _only(found: list, what: str):
    if len(found) != 1:
        raise ValueError(f"{what} stands {len(found)} times in the paper's tables instead of once")
    return found[0]


TRANSFORMERS = ("transformer", "transformer_aligned")
"""Those on real text."""

Contrast = tuple[tuple[str, int], ...]


def contrast(weights: Mapping[str, int]) -> Contrast:
    """weights: system -> by what its value counts. A difference and its opposite are one contrast."""
    found = sorted(weights.items())
    return tuple((name, weight * (1 if found[0][1] > 0 else -1)) for name, weight in found)


def reconstructed(weights: Mapping[str, int]) -> bool:
    """Whether one of the systems declares a confidence of *low* in its equations, so that a verdict is on our guess and
    not on the paper's system."""
    declared = [found for found in map(declarations.system, weights) if found]
    return any(declarations.LOW in found.says(declarations.CONFIDENCE) for found in declared)


def counted_apart(weights: Mapping[str, int], sizes: Mapping[str, float]) -> bool:
    """Whether SMT takes part, which is tuned once and has no seeds, a reconstruction, or a Transformer beside a system
    of more than twice its parameters: verdicts hang on that.

    sizes: system -> parameters, of all but SMT.
    """
    if set(weights) & set(STATISTICAL) or reconstructed(weights):
        return True
    small = min((sizes[name] for name in weights if name in TRANSFORMERS), default=None)
    return small is not None and any(sizes[name] > 2 * small for name in weights)
