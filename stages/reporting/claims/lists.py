"""Lists of claims and systems beside the claims themselves, each from a file of its name in this folder."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.reporting.claims.claims import all_claims, own_claims
from stages.reporting.claims.judged import Judged
from stages.reporting.papers.paper_tables import NAMES, Printed
from stages.settings.params import Name, StudyName, read, validate

MARGINS = Path(__file__).parent / "margins.yaml"


class Margin(Printed):
    """measures: names of measures, without set and direction; why: so large."""

    measures: list[str]
    margin: Annotated[float, Field(gt=0)]
    why: str


def margin(measure: str, file: Path = MARGINS) -> float:
    """measure: of a claim, such as `tests.average.bleu`, `pos_confusion.V.V` or `perplexity_reverse`.

    Raises:
        InputError: the file is no list of margins, or none or two of them are of this measure.
    """
    name = "pos_confusion" if measure.startswith("pos_confusion.") else measure.rpartition(".")[2]
    found = _margins(file)
    if name.removesuffix("_reverse") not in found:
        raise InputError(f"{file}: {name} has no margin; add one, with its reason, before a verdict is read by it")
    return found[name.removesuffix("_reverse")]


@cache
def _margins(file: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in validate(read_yaml(file), list[Margin], "margins", file):
        for measure in one.measures:
            if measure in found:
                raise InputError(f"{file}: {measure} has two margins; remove one")
            found[measure] = one.margin
    return found


LOOKED_INTO = Path(__file__).parent / "looked_into.yaml"


def looked_into(study: str, file: Path = LOOKED_INTO) -> dict[str, str]:
    """System -> what was tried and found.

    Raises:
        InputError: the file is not of names of studies, in each of which systems have a text.
    """
    return validate(read(file), dict[StudyName, dict[Name, str]], "looked_into", file).get(study, {})


def of_claim(judged: Judged, looked: Mapping[str, str]) -> list[str]:
    """The system of a claim that was looked into, or the others of it: what was found of a control is no news of the
    system that it controls."""
    ours = judged.claim.claim.ours
    return [ours.system] if ours.system in looked else [name for name in ours.weights if name in looked]


WAITS_FOR = Path(__file__).parent / "waits_for.yaml"


def waits_for(file: Path = WAITS_FOR) -> dict[str, list[str]]:
    """Study or plan -> ids of the claims that it would speak to.

    Raises:
        InputError: the file is not of lists of claims that there are, or one stands twice.
    """
    found = validate(read(file), dict[StudyName, list[str]], "waits_for", file)
    counted = Counter(claim for claims in found.values() for claim in claims)
    known = {claim.id for claim in (*all_claims(), *own_claims())}
    for claim, number in counted.items():
        if claim not in known:
            raise InputError(f"{file}: there is no claim {claim}; correct its spelling or remove it")
        if number > 1:
            raise InputError(f"{file}: {claim} stands {number} times; it waits for one study")
    return found


UNMEASURED = Path(__file__).parent / "unmeasured.yaml"

Text = Annotated[str, Field(min_length=1)]


class Unmeasured(Printed):
    """paper: name of its file; place, says: as of a `Claim`; not_testable: why; or waits_for: a study or plan, and why
    that."""

    paper: str
    place: Text
    says: Text
    not_testable: Text | None = None
    waits_for: StudyName | None = None
    why: Text | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if (self.not_testable is None) == (self.waits_for is None) or (self.waits_for is None) != (self.why is None):
            raise ValueError("give not_testable with the reason, or waits_for with why")
        return self

    @property
    def answer(self) -> str:
        """In the words of a verdict."""
        return f"waits for {self.waits_for}, {self.why}" if self.waits_for else f"not testable, {self.not_testable}"


def unmeasured(file: Path = UNMEASURED) -> list[Unmeasured]:
    """In the order of the file.

    Raises:
        InputError: the file is no list of them, or a paper is unknown.
    """
    found = validate(read_yaml(file), list[Unmeasured], "unmeasured", file)
    if odd := sorted({one.paper for one in found} - set(NAMES)):
        raise InputError(f"{file}: there is no paper {', '.join(odd)} (there are: {', '.join(NAMES)})")
    return found
