"""A script calls its main last, when all that it needs is defined: tests import it, and would not notice."""

import ast
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

SCRIPTS = [
    path
    for package in ("stages", "fairseq_plugins", "benchmarks", "docs")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "\nif __name__ ==" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_main_is_called_last(path: Path) -> None:
    last = ast.parse(path.read_text(encoding="utf-8")).body[-1]
    assert isinstance(last, ast.If) and "__name__" in ast.unparse(last.test)
