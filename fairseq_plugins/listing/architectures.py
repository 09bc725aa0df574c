"""What each variant is, read from where it is written, and how large it is.

`fairseq_plugins.declarations` says how it is written down.
"""

import dataclasses
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import torch

from fairseq_plugins import compat, declarations, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.options import option
from fairseq_plugins.declarations import OURS
from fairseq_plugins.listing.options import size_names
from fairseq_plugins.models.attnmt import CombinationOptions

from fairseq.data import Dictionary
from fairseq.models import ARCH_MODEL_REGISTRY

NONE = "–"


@dataclass(frozen=True)
class Sizes:
    """The sizes at which parameters are counted; None leaves it to the variant. `sizes_type` adds those of the terms.

    Raises:
        ValueError: the vocabulary is too small; `read_options` looks at the widths.
    """

    embed_dim: int = option(620, "E, embedding width on both sides")
    hidden_dim: int = option(1000, "H, width of the encoder (per direction) and of the decoder")
    vocabulary: int = option(30_000, "words on each side, fairseq's four special symbols included")

    def __post_init__(self):
        if self.vocabulary <= (special := Dictionary().nspecial):
            raise ValueError(f"--vocabulary is {self.vocabulary}, but must be at least {special + 1}")

    def given(self) -> dict[str, int]:
        """Those that are not left to the variant."""
        return {name: size for name, size in dataclasses.asdict(self).items() if size is not None}


def sizes_type() -> type[Sizes]:
    """`Sizes` with every width that some architecture reads."""
    own = {field.name for field in dataclasses.fields(Sizes)}
    further = [
        (name, int | None, option(None, "the variant's own unless given")) for name in sorted(size_names() - own)
    ]
    return dataclasses.make_dataclass("Sizes", further, bases=(Sizes,), frozen=True)


class Row(NamedTuple):
    """One variant; what it does not have is "–"."""

    name: str
    title: str
    family: str
    paper: str
    formula: str
    terms: str
    state: str
    loss: str
    parameters: int | str
    written_from: str
    confidence: str
    decided_here: str


def row(name: str, sizes: Sizes) -> Row:
    """The variant ``name``.

    Raises:
        UnknownNameError: this project has no such variant.
    """
    model, said = system(name), declarations.system(name)
    assert said is not None  # its file stands where `system` has found it
    terms = "those of --terms" if CombinationOptions in model.own_options else ", ".join(t.name for t in model.terms)
    state, loss, source, confidence = (
        "; ".join(said.says(key)) or NONE
        for key in ("State", "Loss", declarations.WRITTEN_FROM, declarations.CONFIDENCE)
    )
    ours = dict.fromkeys(each for one in (said, *said.terms) if OURS in one.said for each in one.said[OURS].split("; "))
    return Row(
        name, said.title or NONE, said.family or NONE, said.paper or NONE, said.formula or NONE, terms or NONE,
        state, loss, _counted(name, sizes), source, confidence,
        "; ".join(ours) or NONE,
    )  # fmt: skip


def _counted(name: str, sizes: Sizes) -> int | str:
    """Parameters; NONE of a system that has other sizes than these, as fairseq's own, or none of them."""
    if "embed_dim" not in _read_by(system(name)):
        return NONE
    try:
        return parameters(name, sizes.given())
    except ValueError:  # so many heads cannot divide such a width
        return NONE


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


def parameters(name: str, options: Mapping[str, Any]) -> int:
    """How many parameters a variant has; ``options`` are ``vocabulary`` and any of some model's. Takes no memory."""
    words, kind = dictionary(options["vocabulary"]), system(name)
    own = _read_by(kind) & set(options)  # fairseq's would take others for its own
    args = Namespace(arch=name, **{option: options[option] for option in own})
    task = Namespace(source_dictionary=words, target_dictionary=words)
    kind.fix_options(args)
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in kind.build_model(args, task).parameters())


def _read_by(kind: type[RecurrentModel]) -> set[str]:
    return {field.name for read in kind.option_types() for field in dataclasses.fields(read)}


@cache
def dictionary(size: int) -> Dictionary:
    """A dictionary of ``size`` symbols, the special ones included."""
    words = Dictionary()
    for k in range(size - len(words)):
        words.add_symbol(f"w{k}")
    return words
