"""Settings of the comparisons in the report: the section `compare` of a corpus in params.yaml."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from stages.settings.names import repeated
from stages.settings.params import Name, Seed, Settings


class CompareSettings(Settings):
    """``corpora.<name>.compare``: which systems the others are compared with, and how.

    baseline: the row that ‡ speaks of. rivals: the rows that ⋆ speaks of; those that are not rows are left out.
    resamples: of the bootstrap and of the randomisation; level: a p value at most this large is significant.
    """

    baseline: Name
    rivals: list[Name]
    resamples: Annotated[int, Field(ge=1, le=10**6)]
    level: Annotated[float, Field(gt=0, lt=1)]
    seed: Seed

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if twice := repeated([self.baseline, *self.rivals]):
            raise ValueError(f"{twice} stands twice among baseline and rivals; name each row once")
        return self
