"""The tables of the docs, made of what systems, terms and options say of themselves."""

import re
from dataclasses import dataclass
from typing import Literal

import pytest

from fairseq_plugins import declarations, registry
from fairseq_plugins.core.options import option
from fairseq_plugins.declarations import Declared
from fairseq_plugins.listing.options import Choice, choices, choices_of, option_classes, size_names
from fairseq_plugins.listing.tables import choices_table, systems_table
from fairseq_plugins.models.attnmt import term_named, term_names


def cells(table: str) -> list[list[str]]:
    """The rows below the head, without what stands around them."""
    return [re.split(r" (?<!\\)\| ", line[2:-2]) for line in table.splitlines()[2:]]


def term(name: str, **said: str) -> Declared:
    return Declared(name, "", "", "", said, (), ())


def of_terms(name: str, paper: str, *terms: Declared, **said: str) -> Declared:
    return Declared(name, "Name: phrase", paper, "e", said, terms, ())


ONE, OTHER = (
    term("one", Family="coverage", **{"Written from": "the paper"}),
    term("other", Family="coverage", **{"Written from": "its code"}),
)
SYSTEMS = [
    of_terms("first", "Tu et al. 2016, Eq. 3; Reconstruction", ONE, Confidence="high"),
    of_terms("second", "Tu et al. 2016, Eq. 4; Mi and Li 2017a", OTHER, ONE, Confidence="high"),
    Declared("whole", "", "dl4mt", "", {"Family": "bases"}, (), ("fairseq_plugins.mechanisms.x",)),
]


def test_a_row_of_systems_is_a_family():
    assert cells(systems_table(SYSTEMS)) == [
        [
            "coverage",
            "`first`, `second`",
            "Tu et al. 2016, Mi and Li 2017a",
            "`one`, `other`",
            "the paper; its code",
            "high",
        ],
        ["bases", "`whole`", "dl4mt", "`mechanisms/x.py`", "–", "–"],
    ]


def test_what_several_say_of_an_option_is_one_row():
    said = [
        Choice("g", False, (True,), "help | (A et al. 2015: no)", "A: no", "paper"),
        Choice("g", False, (True,), "more", "B: c_i", "ours"),
    ]
    assert cells(choices_table([*said, Choice("d", None, (), "D", "–", "ours")])) == [
        ["`g`: false (true)", "help \\|; more", "A: no; B: c\\_i", "paper; ours"],
        ["`d`: none", "D", "–", "ours"],
    ]


@dataclass(frozen=True)
class Documented:
    """Options.

    Choices:
        mode: A: one; B:
            the other -> the paper
        width: not stated -> ours

    Nothing: of this.
    """

    mode: Literal["one", "other"] | None = option(None, "which")
    width: int = option(3, "how wide")


@dataclass(frozen=True)
class OfAnother:
    """Options.

    Choices:
        mode: A: one -> ours
    """

    width: int = option(3, "how wide")


@dataclass(frozen=True)
class WithoutArrow:
    """Options.

    Choices:
        width: A: one, ours
    """

    width: int = option(3, "how wide")


def test_choices_of_a_docstring():
    assert choices_of(Documented) == [
        Choice("mode", None, ("one", "other"), "which", "A: one; B: the other", "the paper"),
        Choice("width", 3, (), "how wide", "not stated", "ours"),
    ]


@pytest.mark.parametrize("kind", [OfAnother, WithoutArrow])
def test_refused_choices(kind):
    with pytest.raises(ValueError, match=kind.__name__):
        choices_of(kind)


def test_every_system_and_every_term_is_in_the_tables():
    table = systems_table(declarations.systems())
    assert [name for name in [*registry.names(), *term_names()] if f"`{name}`" not in table] == []
    assert {len(row) for row in cells(table)} == {6}
    assert {len(row) for row in cells(choices_table(choices()))} == {4}


@pytest.mark.parametrize("name", term_names())
def test_every_option_of_a_term_says_whose_choice_its_default_is(name):
    kinds = [kind for kind in term_named(name).Options.__mro__ if kind in option_classes()]
    said = {choice.option for kind in kinds for choice in choices_of(kind)}
    assert said == set(term_named(name).Options.__dataclass_fields__)


def test_widths_of_terms_are_sizes():
    assert {"hidden_dim", "history_dim", "covemb_dim"} <= size_names()
    assert all(name.endswith("_dim") for name in size_names())
