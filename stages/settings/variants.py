"""The definitions of systems: the section `variants` of params.yaml.

Training reads its settings here and not by way of the study, so that it depends on little code.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, model_validator

from stages.settings.names import NAME, shown
from stages.settings.params import Name, Settings, StudyName, find, read, validate
from stages.settings.training import DecodingControl, Training, TrainingKeys

WORD = re.compile(r"(?!(?i:nan|inf|infinity)$)[A-Za-z][A-Za-z0-9_.]{0,99}|[0-9]+(,[0-9]+)+")
"""An option that is text: no number in quotes, and, since fairseq evaluates some of its own as Python, no brackets."""
RANGES = {"_dim": (1, 2**16), "_layers": (0, 100), "_heads": (1, 2**10), "dropout": (0, 0.99), "": (0, 10**9)}
"""How options end that are numbers -> smallest and largest; the first that fits."""


class VariantModel(Settings, extra="allow"):
    """The architecture of a system, its terms when it is a combination, and any options of its own.

    Which options there are only the architecture knows, see `stages.training.run.model_arguments_of`.
    """

    __pydantic_extra__: dict[Name, Any]
    arch: Annotated[str, Field(pattern=NAME)]
    terms: list[Name] | None = None

    @model_validator(mode="after")
    def _options_are_values(self) -> Self:
        _check_options(self.options())
        return self

    def options(self) -> dict[str, Any]:
        """The options beyond ``arch`` and ``terms``, in the order of the file."""
        return dict(self.model_extra or {})


class OnOneCorpus(Settings, extra="allow"):
    """``variants.<name>.by_corpus.<corpus>``: what stands over the variant's own options and training there only."""

    __pydantic_extra__: dict[Name, Any]
    training: TrainingKeys = Field(default_factory=dict)

    @model_validator(mode="after")
    def _options_are_values(self) -> Self:
        if wrong := [name for name in self.model_extra or {} if name in Variant.model_fields]:
            raise ValueError(f"{', '.join(wrong)} cannot stand here; write options of the architecture, or training")
        _check_options(self.model_extra or {})
        return self


class Variant(VariantModel):
    """``variants.<name>``: a system, i.e. a row of the report; how reports call it stands in `titles`.

    training: what differs from the corpus's training. decoding: of a system that shares trained models.
    """

    training: dict[str, Any] = Field(default_factory=dict)
    decoding: DecodingControl | None = None
    by_corpus: dict[StudyName, OnOneCorpus] = Field(default_factory=dict)

    @property
    def model(self) -> VariantModel:
        """Without its training."""
        return VariantModel.model_construct(arch=self.arch, terms=self.terms, **self.options())

    def on(self, corpus: str) -> "Variant":
        """The system that is trained on this corpus."""
        own = self.by_corpus.get(corpus, OnOneCorpus())
        options = self.options() | dict(own.model_extra or {})
        training = self.training | own.training
        return Variant.model_construct(
            arch=self.arch, terms=self.terms, training=training, decoding=self.decoding, by_corpus={}, **options
        )


def _check_options(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        low, high = next(limits for end, limits in RANGES.items() if name.endswith(end))
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and not low <= value <= high:
            raise ValueError(f"{name} is {shown(value)}; write a number from {low} to {high}")
        word = isinstance(value, str) and WORD.fullmatch(value)
        if not number and not word and not isinstance(value, bool | None):
            raise ValueError(f"{name} is {shown(value)}; write a number, a word, true or false")


def variant(name: str, content: dict[str, Any] | None = None) -> Variant:
    """The definition of one variant.

    content: of params.yaml, if it has been read.

    Raises:
        InputError: params.yaml has no such variant, or it is wrong.
    """
    of = f"variants.{name}"
    return validate(find(read() if content is None else content, of), Variant, of)


class TrainingSections(NamedTuple):
    """Sections of params.yaml, in one: each overrides single keys of those before it. where: their names."""

    keys: dict[str, Any]
    where: str

    def settings(self, chosen: Mapping[str, Any] | None = None) -> Training:
        """chosen: what wins over the keys, in the place of what is `auto`. Raises InputError for a key that is unknown,
        missing or wrong."""
        return validate({**self.keys, **(chosen or {})}, Training, self.where)


def training_sections(
    corpus: str, name: str, content: dict[str, Any] | None = None, fine_tuned: bool = False
) -> TrainingSections:
    """``corpora.<corpus>.training`` with what the variant's own ``training`` overrides.

    content: of params.yaml, if it has been read. fine_tuned: the system is initialised from a trained one, so
    ``corpora.<corpus>.fine_tuning`` overrides the corpus's first.

    Raises:
        InputError: an unknown corpus or variant.
    """
    content = read() if content is None else content
    names = [f"corpora.{corpus}.training", *([f"corpora.{corpus}.fine_tuning"] if fine_tuned else [])]
    return merged(names, content, {f"variants.{name}.training": variant(name, content).on(corpus).training})


def training_settings(
    corpus: str, name: str, content: dict[str, Any] | None = None, fine_tuned: bool = False
) -> Training:
    """What `training_sections` say, on a CPU. Raises InputError as these and their settings do."""
    return training_sections(corpus, name, content, fine_tuned).settings()


def merged(
    names: Sequence[str], content: dict[str, Any], own: Mapping[str, dict[str, Any]] | None = None
) -> TrainingSections:
    """The sections of these dotted names, and those of `own` behind them. Raises InputError if one is missing."""
    sections = {each: validate(find(content, each), dict[str, Any], each) for each in names} | dict(own or {})
    keys = {key: value for each in sections.values() for key, value in each.items()}
    return TrainingSections(keys, " over ".join(reversed(sections)))
