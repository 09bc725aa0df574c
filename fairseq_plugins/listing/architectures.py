"""What each variant is, read from where it is written, and how large it is.

The first line of a model's module says `Name: one phrase (paper, equation).`. Of its class docstring the first line is
the formula, and paragraphs `State: …`, `Loss: …` and `Confidence: …` say the rest; what it does not say of state and
loss, the docstrings of its terms do.
"""

import dataclasses
import inspect
import re
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import torch

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.options import option
from fairseq_plugins.models.attnmt import CombinationOptions

from fairseq.data import Dictionary
from fairseq.models import ARCH_MODEL_REGISTRY

NONE = "–"


@dataclass(frozen=True)
class Sizes:
    """The sizes at which parameters are counted; None leaves it to the variant.

    Raises:
        ValueError: a size is too small.
    """

    embed_dim: int = option(620, "E, embedding width on both sides")
    hidden_dim: int = option(1000, "H, width of the encoder (per direction) and of the decoder")
    vocabulary: int = option(30_000, "words on each side, fairseq's four special symbols included")
    attention_dim: int | None = option(None, "A, width inside the tanh; H unless given")
    readout_dim: int | None = option(None, "R, width in front of the output matrix; E unless given")
    history_dim: int | None = option(None, "D of the histories; H unless given")
    coverage_dim: int | None = option(None, "D of the learned coverages; the variant's own unless given")
    covemb_dim: int | None = option(None, "D of the coverage embeddings; the variant's own unless given")
    recurrent_attention_dim: int | None = option(None, "D of recurrent attention; the variant's own unless given")

    def __post_init__(self):
        for name, size in self.given().items():
            least = Dictionary().nspecial + 1 if name == "vocabulary" else 1
            if size < least:
                raise ValueError(f"--{name.replace('_', '-')} is {size}, but must be at least {least}")

    def given(self) -> dict[str, int]:
        """Those that are not left to the variant."""
        return {name: size for name, size in dataclasses.asdict(self).items() if size is not None}


class Row(NamedTuple):
    """One variant; what it does not have is "–"."""

    name: str
    title: str
    paper: str
    formula: str
    terms: str
    state: str
    loss: str
    parameters: int
    confidence: str


def row(name: str, sizes: Sizes) -> Row:
    """The variant ``name``.

    Raises:
        UnknownNameError: this project has no such variant.
    """
    model = system(name)
    said = paragraphs(model)
    title, paper = re.fullmatch(r"(.*?)(?: \(([^()]*)\))?\.?", registry.title(name).replace("``", "")).groups()
    terms = "those of --terms" if CombinationOptions in model.own_options else ", ".join(t.name for t in model.terms)
    return Row(
        name, title or NONE, paper or NONE, said["Formula"] or NONE, terms or NONE,
        _of_system_or_terms(model, "State"), _of_system_or_terms(model, "Loss"),
        parameters(name, sizes.given()), said.get("Confidence", NONE),
    )  # fmt: skip


def system(name: str) -> type[RecurrentModel]:
    """The model class of a variant of this project.

    Raises:
        UnknownNameError: there is none of this name.
    """
    registry.register(name)
    if name not in registry.names():
        raise registry.UnknownNameError(
            f"{name!r} is fairseq's own; of this project are: {', '.join(registry.names())}."
        )
    return ARCH_MODEL_REGISTRY[name]


def paragraphs(kind: type) -> dict[str, str]:
    """The paragraphs of a class docstring that begin with a key, by that key; under Formula, its first line."""
    text = inspect.cleandoc(kind.__doc__ or "").replace("``", "")
    found = (re.fullmatch(r"([A-Z]\w*): (.*)", " ".join(part.split("\n"))) for part in text.split("\n\n"))
    first = text.partition("\n")[0]
    return {"Formula": first.removesuffix(".")} | {hit[1]: hit[2].removesuffix(".") for hit in found if hit}


def _of_system_or_terms(model: type[RecurrentModel], key: str) -> str:
    """What the system itself says, else what its terms say, each different thing once."""
    said = [paragraphs(kind).get(key, "") for kind in (model, *model.terms)]
    return said[0] or "; ".join(dict.fromkeys(text for text in said[1:] if text)) or NONE


def parameters(name: str, options: Mapping[str, Any]) -> int:
    """How many parameters a variant has; ``options`` are ``vocabulary`` and any of the model's. Takes no memory."""
    words = _dictionary(options["vocabulary"])
    args, task = Namespace(arch=name, **options), Namespace(source_dictionary=words, target_dictionary=words)
    kind = system(name)
    kind.fix_options(args)
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in kind.build_model(args, task).parameters())


@cache
def _dictionary(size: int) -> Dictionary:
    """A dictionary of ``size`` symbols, the special ones included."""
    words = Dictionary()
    for k in range(size - len(words)):
        words.add_symbol(f"w{k}")
    return words
