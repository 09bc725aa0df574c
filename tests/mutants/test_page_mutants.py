"""The catalogue of mistakes in the report page: that it is up to date and complete. ``make mutants`` runs all of it."""

import re
from pathlib import Path

import pytest

from stages.reporting.page import template
from tests.mutants.catalogue import PAGE
from tests.mutants.catalogue.page import WEB
from tests.mutants.checks import assert_every_mistake_can_be_made, assert_names_differ
from tests.mutants.mutant import ROOT, Mutant
from tests.mutants.page_file import in_page
from tests.mutants.report import write

PASSIVE = {"elements.js"}
"""Whose mistakes are those of every file that uses it."""


def meaning(text: str) -> str:
    """Without comments and the space between lines."""
    bare = re.sub(r"(?m)^\s*//.*$|/\*[\s\S]*?\*/", "", text)
    return "\n".join(filter(None, map(str.strip, bare.splitlines())))


@pytest.mark.parametrize("path", sorted({mutant.path for mutant in PAGE}))
def test_every_mistake_can_be_made(path: str) -> None:
    """A comment is no mistake."""
    assert_every_mistake_can_be_made(PAGE, path, meaning)


def test_every_mistake_has_its_own_name_and_tests_that_exist() -> None:
    assert_names_differ(PAGE)
    files = {word for mutant in PAGE for word in mutant.tests.split() if word.endswith(".py")}
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_every_file_of_the_page_is_broken() -> None:
    files = {path.name for path in (ROOT / WEB).iterdir()}
    assert files - {Path(mutant.path).name for mutant in PAGE} == PASSIVE


def test_a_page_is_made_with_the_mistake_and_then_without() -> None:
    (mutant,) = [one for one in PAGE if one.what == "the search has no name"]
    whole = template.fill("", {}, {}, "")
    with in_page(mutant.path, mutant.source()):
        broken = template.fill("", {}, {}, "")
    assert template.fill("", {}, {}, "") == whole
    assert whole.replace(mutant.old, mutant.new) == broken != whole


def test_the_table_says_that_it_is_the_page(tmp_path: Path) -> None:
    mutant = Mutant(("page",), f"{WEB}/style.css", "a mistake", "", "", "")
    write({mutant: "tests/test_a.py::test_b"}, tmp_path / "mutants.md")
    last = (tmp_path / "mutants.md").read_text(encoding="utf-8").splitlines()[-1]
    assert last == f"| the report page | `{WEB}/style.css` | a mistake | `tests/test_a.py::test_b` |"
