"""What no study says: claims that wait for one, read from `waits_for.yaml`, and what nothing here measures, from
`unmeasured.yaml`, both in this folder."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.reporting.claims.claims import all_claims, own_claims
from stages.reporting.papers.paper_tables import NAMES, Printed
from stages.settings.params import StudyName, read, validate

FILE = Path(__file__).parent / "unmeasured.yaml"

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


def unmeasured() -> list[Unmeasured]:
    """In the order of the file.

    Raises:
        InputError: the file is no list of them, or a paper is unknown.
    """
    found = validate(read_yaml(FILE), list[Unmeasured], "unmeasured", FILE)
    if odd := sorted({one.paper for one in found} - set(NAMES)):
        raise InputError(f"{FILE}: there is no paper {', '.join(odd)} (there are: {', '.join(NAMES)})")
    return found


WAITS_FOR = Path(__file__).parent / "waits_for.yaml"


def waits_for() -> dict[str, list[str]]:
    """Study or plan -> ids of the claims that it would speak to.

    Raises:
        InputError: the file is not of lists of claims that there are, or one stands twice.
    """
    found = validate(read(WAITS_FOR), dict[StudyName, list[str]], "waits_for", WAITS_FOR)
    counted = Counter(claim for claims in found.values() for claim in claims)
    known = {claim.id for claim in (*all_claims(), *own_claims())}
    for claim, number in counted.items():
        if claim not in known:
            raise InputError(f"{WAITS_FOR}: there is no claim {claim}; correct its spelling or remove it")
        if number > 1:
            raise InputError(f"{WAITS_FOR}: {claim} stands {number} times; it waits for one study")
    return found
