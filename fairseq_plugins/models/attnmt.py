"""attnmt: RNNsearch* or RNNsearch with any terms, named in params.yaml or with ``--terms`` (this project)."""

import dataclasses
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Literal

from fairseq_plugins import terms as terms_package
from fairseq_plugins.core.additive import AdditiveAttention
from fairseq_plugins.core.encoder import RecurrentEncoder
from fairseq_plugins.core.model import RecurrentModel, SystemOptions, check_compatible, register
from fairseq_plugins.core.options import add_options, option, read_options
from fairseq_plugins.core.protocol import Attention, Cell, Term
from fairseq_plugins.core.readout import BaseReadout
from fairseq_plugins.models.rnnsearch import RNNSearch


@dataclass(frozen=True)
class CombinationOptions:
    """Which terms stand inside the tanh, and of which system.

    Choices:
        base: Tu: RNNsearch, their later code RNNsearch*; Cohn, Yang, Feng: others -> ours, as Xue and Kuang
    """

    terms: str = option("", "comma-separated names of the terms inside the tanh (files of fairseq_plugins/terms)")
    base: Literal["rnnsearch_star", "rnnsearch"] = option(
        "rnnsearch_star", "recurrence, query and readout around it: those of RNNsearch*, or of RNNsearch"
    )


@register("attnmt")
class Combination(RecurrentModel):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a + the terms named).

    Family: combinations.
    """

    own_options: tuple[type, ...] = (CombinationOptions,)
    needs_terms: ClassVar[bool] = True

    @classmethod
    def option_names(cls, terms: list[str] | None) -> set[str]:
        """Raises ValueError also where the terms of a combination are not named."""
        if terms is None and cls.needs_terms:
            raise ValueError("a combination names its terms: write `terms: [...]`, or `terms: []` for the base alone")
        kinds = (*cls.option_types(), *(term.Options for term in terms_named(terms or [])))
        return {field.name for kind in kinds for field in dataclasses.fields(kind)} - {"terms"}

    @classmethod
    def add_args(cls, parser: ArgumentParser) -> None:
        add_options(parser, *cls.option_types(), *(term_named(name).Options for name in term_names()))

    @classmethod
    def term_types(cls, args: Namespace) -> tuple[type[Term], ...]:
        return terms_named([name for name in read_options(CombinationOptions, args).terms.split(",") if name])

    @classmethod
    def build_attention(cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder) -> AdditiveAttention:
        return cls.build_additive(args, options, encoder, bias=not cls._on_rnnsearch(args))

    @classmethod
    def build_cell(
        cls, args: Namespace, options: SystemOptions, encoder: RecurrentEncoder, attention: Attention
    ) -> Cell:
        build = RNNSearch.build_cell if cls._on_rnnsearch(args) else super().build_cell
        return build(args, options, encoder, attention)

    @classmethod
    def build_readout(cls, args: Namespace, options: SystemOptions, attention: Attention) -> BaseReadout:
        if cls._on_rnnsearch(args) and options.readout is None:
            options = dataclasses.replace(options, readout=RNNSearch.default_readout)
        return super().build_readout(args, options, attention)

    @classmethod
    def _on_rnnsearch(cls, args: Namespace) -> bool:
        return read_options(CombinationOptions, args).base == "rnnsearch"


def terms_named(names: list[str]) -> tuple[type[Term], ...]:
    """The classes of a set of terms.

    Raises:
        ValueError: a name is unknown or stands twice, or two terms exclude each other.
    """
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"the term {', '.join(repeated)} is named twice; name each term once")
    found = tuple(term_named(name) for name in names)
    check_compatible(found)
    return found


def term_names() -> list[str]:
    """The terms there are: the files of ``fairseq_plugins/terms``, helpers (``_*``) left out."""
    folder = Path(next(iter(terms_package.__path__)))
    return sorted(path.stem for path in folder.glob("[!_]*.py"))


def term_named(name: str) -> type[Term]:
    """The term class of the file ``fairseq_plugins/terms/<name>.py``.

    Raises:
        ValueError: no term has this name.
    """
    if name not in term_names():
        raise ValueError(f"no term is called {name!r}; there are: {', '.join(term_names())}")
    module = import_module(f"fairseq_plugins.terms.{name}")
    return next(
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Term) and vars(found).get("name") == name
    )
