"""The definitions of systems: the section `variants` of params.yaml.

Training reads its settings here and not by way of the study, so that it depends on little code.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from stages.settings.names import NAME, shown
from stages.settings.params import Name, Settings, StudyName, find, read, validate
from stages.settings.training import Training, TrainingKeys

WORD = re.compile(r"(?!(?i:nan|inf|infinity)$)[A-Za-z][A-Za-z0-9_.]{0,99}|[0-9]+(,[0-9]+)+")
"""An option that is text: no number in quotes, and, since fairseq evaluates some of its own as Python, no brackets."""
RANGES = {"_dim": (1, 2**16), "_layers": (0, 100), "_heads": (1, 2**10), "dropout": (0, 0.99), "": (0, 10**9)}
"""How options end that are numbers -> smallest and largest; the first that fits."""


class VariantModel(Settings, extra="allow"):
    """``variants.<name>.model``: the architecture, its terms when it is a combination, and any of its own options.

    Which options there are only the architecture knows, see `stages.training.run.model_arguments_of`.
    by_corpus: corpus -> options that stand over these there only.
    """

    __pydantic_extra__: dict[Name, Any]
    arch: Annotated[str, Field(pattern=NAME)]
    terms: list[Name] | None = None
    by_corpus: dict[StudyName, dict[Name, Any]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _options_are_values(self) -> Self:
        given = [*self.options().items(), *(each for own in self.by_corpus.values() for each in own.items())]
        for name, value in given:
            if name in VariantModel.model_fields:
                raise ValueError(f"by_corpus: '{name}' cannot stand here; write options of the architecture")
            low, high = next(limits for end, limits in RANGES.items() if name.endswith(end))
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if number and not low <= value <= high:
                raise ValueError(f"{name} is {shown(value)}; write a number from {low} to {high}")
            word = isinstance(value, str) and WORD.fullmatch(value)
            if not number and not word and not isinstance(value, bool | None):
                raise ValueError(f"{name} is {shown(value)}; write a number, a word, true or false")
        return self

    def options(self) -> dict[str, Any]:
        """The options beyond ``arch`` and ``terms``, in the order of the file."""
        return dict(self.model_extra or {})

    def on(self, corpus: str) -> Self:
        """The model that is trained on this corpus."""
        own = self.options() | self.by_corpus.get(corpus, {})
        return type(self).model_construct(arch=self.arch, terms=self.terms, **own)


class Variant(Settings):
    """``variants.<name>``: a system, i.e. a row of the report; how reports call it stands in `titles`."""

    model: VariantModel
    training: dict[str, Any]

    def by_corpus(self) -> dict[str, dict[str, Any]]:
        """Corpus -> what ``training`` overrides there only."""
        return self.training.get("by_corpus", {})

    def on(self, corpus: str) -> Self:
        """With the model that is trained on this corpus; ``training`` as it is, see `own_training`."""
        return self.model_copy(update={"model": self.model.on(corpus)})


Variants = dict[Name, Variant]


def variant(name: str) -> Variant:
    """The definition of one variant.

    Raises:
        InputError: params.yaml has no such variant, or it is wrong.
    """
    return validate(find(read(), f"variants.{name}"), Variant, f"variants.{name}")


def training_settings(
    corpus: str, name: str, content: dict[str, Any] | None = None, fine_tuned: bool = False
) -> Training:
    """``corpora.<corpus>.training`` with what the variant's own ``training`` overrides.

    content: of params.yaml, if it has been read. fine_tuned: the system is initialised from a trained one, so
    ``corpora.<corpus>.fine_tuning`` overrides the corpus's first.

    Raises:
        InputError: an unknown or missing key, or an unknown corpus or variant.
    """
    content = read() if content is None else content
    names = [f"corpora.{corpus}.training", *([f"corpora.{corpus}.fine_tuning"] if fine_tuned else [])]
    return merged_training(names, content, {f"variants.{name}.training": own_training(corpus, name, content)})


def own_training(corpus: str, name: str, content: dict[str, Any]) -> dict[str, Any]:
    """What a variant overrides on one corpus: ``variants.<name>.training``, and over it its ``by_corpus.<corpus>``.

    Raises:
        InputError: there is no such variant, or what it has there is no mapping or holds what cannot stand there.
    """
    return _own(corpus, f"variants.{name}.training", TrainingKeys, content)


def own_model(corpus: str, name: str, content: dict[str, Any]) -> dict[str, Any]:
    """``variants.<name>.model`` as it is on one corpus.

    Raises:
        InputError: there is no such variant, or what it has there is no mapping.
    """
    return _own(corpus, f"variants.{name}.model", dict[Name, Any], content)


def _own(corpus: str, whole: str, keys: Any, content: dict[str, Any]) -> dict[str, Any]:
    """The section of this dotted name, and over it its ``by_corpus.<corpus>``, which is of the type `keys`."""
    own = validate(find(content, whole), dict[str, Any], whole)
    by_corpus = validate(own.pop("by_corpus", {}), dict[StudyName, keys], f"{whole}.by_corpus")
    return own | by_corpus.get(corpus, {})


def merged_training(
    names: Sequence[str], content: dict[str, Any], own: Mapping[str, dict[str, Any]] | None = None
) -> Training:
    """The sections of these dotted names, and those of `own`, each of which overrides single keys of those before it.

    Raises:
        InputError: an unknown or missing key.
    """
    sections = {each: validate(find(content, each), dict[str, Any], each) for each in names} | dict(own or {})
    merged = {key: value for each in sections.values() for key, value in each.items()}
    return validate(merged, Training, " over ".join(reversed(sections)))
