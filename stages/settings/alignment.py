"""Settings of the wordalign stage: the section `wordalign` of a corpus in params.yaml."""

from typing import Annotated, Literal, Self

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from stages.settings.params import Settings


class AlignmentSettings(Settings):
    """``corpora.<name>.wordalign``: options of eflomal.

    model: 1 is IBM model 1, 2 an HMM after it, 3 an HMM with fertilities after both.
    iterations: one number for each of these models; null takes eflomal's own rule, fewer the larger the text.
    samplers: independent samplers whose marginals are averaged.
    null_prior: prior probability of a word to be without link.
    """

    model: Literal[1, 2, 3]
    iterations: tuple[PositiveInt, ...] | None
    samplers: PositiveInt
    null_prior: Annotated[float, Field(gt=0, lt=1)]
    seed: NonNegativeInt

    @model_validator(mode="after")
    def _one_number_a_model(self) -> Self:
        if self.iterations is not None and len(self.iterations) != self.model:
            raise ValueError(f"iterations must be null or {self.model} numbers for model {self.model}")
        return self
