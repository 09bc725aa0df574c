"""Whether every system of a study can be built, before any of them is trained."""

from collections.abc import Mapping
from typing import NamedTuple

import psutil

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.listing.options import size_names
from stages.files.errors import InputError
from stages.settings.params import PARAMS
from stages.settings.schema import Params
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from stages.training.run import model_arguments_of, without_words

from fairseq.models import MODEL_REGISTRY

BYTES = 16
"""A parameter in training: itself, its gradient and two moments of Adam, each in fp32."""


class Facts(NamedTuple):
    """What only a built system knows.

    supervision: as in params.yaml; None for a system that learns from the text alone.
    joint: whether it holds a model of either direction.
    """

    supervision: str | None
    joint: bool


def check_models(content: Params) -> None:
    """Build every system without words, and hold it against what its training gives it.

    Raises:
        InputError: naming the variant and what its architecture does not take, or what its training lacks.
    """
    check_sizes({name: corpus.model for name, corpus in content.corpora.items()})
    for name in content.built:
        variant = content.variants[name]
        found = {
            corpus: _facts(name, variant.on(corpus).model, content.corpora[corpus].model)
            for corpus in dict.fromkeys((*variant.by_corpus, content.corpus))
        }
        facts = found[content.corpus]
        text = content.corpora[content.corpus].training
        given = variant.on(content.corpus).training.get("supervision", text.supervision)
        if facts.supervision != given:
            wanted = facts.supervision or "null"
            raise InputError(
                f"{PARAMS}: variants.{name}.training: supervision is {given or 'null'}, but its model learns from "
                f"{facts.supervision or 'the text alone'}; set supervision: {wanted}"
            )
        base = content.fine_tuned.get(name)
        if facts.joint and base is not None and base not in content.also_reverse:
            raise InputError(
                f"{PARAMS}: fine_tuned: {name} joins both directions and is initialised from {base}, which is trained "
                f"in one; add {base} to also_reverse"
            )


def check_sizes(corpora: Mapping[str, ModelSizes]) -> None:
    """Raise InputError for a width, of the corpora by name, that no architecture has as an option."""
    known = size_names()
    for corpus, sizes in corpora.items():
        if unknown := sorted(set(sizes.further()) - known):
            raise InputError(
                f"{PARAMS}: corpora.{corpus}.model: no architecture has a size {', '.join(unknown)}; remove it or "
                f"correct its spelling (there are: {', '.join(sorted(known))})"
            )


def _facts(name: str, model: VariantModel, sizes: ModelSizes) -> Facts:
    arguments = model_arguments_of(model, sizes, name)
    try:
        args, built = without_words(arguments)
        _check_memory(name, sum(parameter.numel() for parameter in built.parameters()))
        if model.arch not in registry.names():
            return Facts(None, False)
        kind = MODEL_REGISTRY[model.arch]
        learns = {"links": kind.reads_links(args), "candidates": "candidate_table" in kind.option_names(model.terms)}
    except InputError:
        raise
    except Exception as error:  # an option that the system itself fixes, or that it, torch or fairseq cannot build with
        message = " ".join(str(error).split()) or f"it cannot be built with these options ({type(error).__name__})"
        raise InputError(f"{PARAMS}: variants.{name}: {message}") from error
    supervision = "_and_".join(name for name, does in learns.items() if does) or None
    return Facts(supervision, hasattr(built, "reverse"))


def _check_memory(name: str, parameters: int) -> None:
    """Without what depends on the vocabulary or on the batch."""
    needed, there = parameters * BYTES / 2**30, psutil.virtual_memory().total / 2**30
    if needed > there:
        raise InputError(
            f"{PARAMS}: variants.{name}: at these sizes it has {parameters:,} parameters, "
            f"which take {needed:,.0f} GiB to train, and this machine has {there:,.0f}; make it smaller"
        )
