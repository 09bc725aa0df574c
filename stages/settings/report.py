"""Settings of the report stage: the section `report` of a corpus in params.yaml."""

from typing import Self

from pydantic import model_validator

from stages.settings.params import Count, Settings


class ReportSettings(Settings):
    """The sentence that the attention heat maps show.

    sentence: its line in the gold set (in the first test set if the corpus has no gold set), counted from 1; null
    chooses one of `shortest` to `longest` source words by rule.
    """

    sentence: Count | None
    shortest: Count
    longest: Count

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.shortest > self.longest:
            raise ValueError(f"shortest ({self.shortest}) is above longest ({self.longest})")
        return self
