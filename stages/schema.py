"""The whole of params.yaml, validated at once: what `make repro` checks before anything runs."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from stages.arguments import training_settings
from stages.params import Settings, read, validate
from stages.settings.corpus import CorpusSettings, SegmentationSettings
from stages.settings.report import ReportSettings
from stages.settings.score import ScoreSettings
from stages.settings.training import Decoding, ModelSizes, Training, Variant

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class CorpusSection(Settings):
    """``corpora.<name>``."""

    corpus: CorpusSettings
    segmentation: SegmentationSettings
    model: ModelSizes
    training: Training
    decoding: Decoding
    score: ScoreSettings
    report: ReportSettings


class Params(Settings):
    """params.yaml."""

    corpus: str
    direction: Literal["forward", "reverse"]
    segmentation: Literal["bpe", "words"]
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)]
    variants: Annotated[dict[Name, Variant], Field(min_length=1)]
    corpora: dict[str, CorpusSection]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.corpus not in self.corpora:
            raise ValueError(f"corpus: {self.corpus!r} is not below corpora (there are: {', '.join(self.corpora)})")
        if len(set(self.seeds)) != len(self.seeds):
            raise ValueError(f"seeds: {self.seeds} names a seed twice")
        return self


def load() -> Params:
    """The whole file.

    Raises:
        InputError: naming every key that is unknown, missing or wrong.
    """
    content = validate(read(), Params, "params")
    for variant in content.variants:
        training_settings(content.corpus, variant)
    return content
