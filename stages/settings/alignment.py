"""Settings of the wordalign stage: the section `wordalign` of a corpus in params.yaml."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from stages.settings.params import Seed, Settings


class AlignmentSettings(Settings):
    """``corpora.<name>.wordalign``: options of eflomal.

    model: 1 is IBM model 1, 2 an HMM after it, 3 an HMM with fertilities after both.
    iterations: one number for each of these models; null takes eflomal's own rule, fewer the larger the text.
    samplers: independent samplers whose marginals are averaged.
    null_prior: prior probability of a word to be without link.
    """

    model: Annotated[int, Field(ge=1, le=3)]
    iterations: tuple[Annotated[int, Field(ge=1, le=100_000)], ...] | None
    samplers: Annotated[int, Field(ge=1, le=100)]
    null_prior: Annotated[float, Field(gt=0, lt=1)]
    seed: Seed

    @model_validator(mode="after")
    def _one_number_a_model(self) -> Self:
        if self.iterations is not None and len(self.iterations) != self.model:
            raise ValueError(f"iterations must be null or {self.model} numbers for model {self.model}")
        return self
