"""Mistakes in the report page, which a browser runs."""

from collections.abc import Mapping

from ..mutant import Mutant, mutants

WEB = "stages/reporting/page/web"
ALL = "tests/stages/reporting/page/test_browser.py tests/stages/reporting/page/test_browser_choice.py"


def page(file: str, tests: str, changes: Mapping[str, tuple[str, str]]) -> tuple[Mutant, ...]:
    """The mutants of a file of the page.

    ``tests``: what to ask before ``ALL``; ``changes``: in words -> (old, new).
    """
    return mutants("page", f"{WEB}/{file}", f"{tests} {ALL}", changes)
