"""The catalogue of mistakes in C++: that it is up to date and complete. ``make mutants`` builds and asks all of it."""

import re
from pathlib import Path

import pytest

from fairseq_plugins.kernels import native
from tests.mutants.catalogue import KERNELS
from tests.mutants.checks import assert_every_mistake_can_be_made, assert_names_differ
from tests.mutants.mutant import Mutant
from tests.mutants.report import write

PASSIVE = {"gather.h", "rounded.h"}
"""Declarations."""


def meaning(text: str) -> str:
    """Without comments and the space between words."""
    return " ".join(re.sub(r"//.*", "", text).split())


@pytest.mark.parametrize("path", sorted({mutant.path for mutant in KERNELS}))
def test_every_mistake_can_be_made(path: str) -> None:
    """A comment is no mistake."""
    assert_every_mistake_can_be_made(KERNELS, path, meaning)


def test_every_mistake_has_its_own_name() -> None:
    assert_names_differ(KERNELS)


def test_every_file_of_the_kernels_is_broken() -> None:
    files = {path.name for path in native.SOURCES.iterdir()}
    assert files - {Path(mutant.path).name for mutant in KERNELS} == PASSIVE


def test_the_table_says_that_all_variants_use_them(tmp_path: Path) -> None:
    mutant = Mutant(("kernels",), "a.cpp", "a mistake", "", "", "")
    write({mutant: "tests/test_a.py::test_b"}, set(), tmp_path / "mutants.md")
    last = (tmp_path / "mutants.md").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "| all | `a.cpp` | a mistake | `tests/test_a.py::test_b` |"
