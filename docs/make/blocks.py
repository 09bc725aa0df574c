"""The parts of pages that are made from code or reports: between two comments, which name what stands there."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docs.make import drawing, findings, results, variants
from docs.make.imports import ROOT

MADE: Mapping[str, Callable[[], str]] = {
    "systems": variants.systems,
    "choices": variants.choices,
    "results": results.results,
    "verdicts": results.verdicts,
    "sizes": findings.sizes,
    "untried": results.untried,
    "flow": drawing.flow,
    "packages": drawing.packages,
    "plugins": drawing.plugins,
}
"""What stands between `<!-- made: NAME -->` and `<!-- end -->`, by that name; a file by `file PATH`."""

FILE = "file"
BLOCK = re.compile(r"(?P<head><!-- made: (?P<name>[^>]+?) -->\n).*?(?P<tail><!-- end -->)", re.DOTALL)
INLINE = re.compile(r"(<!--([\w-]+/[\w-]+):([\w-]+)-->).*?(<!--end-->)", re.DOTALL)
"""What a study says of a claim, within a sentence: `<!--CLAIM:STUDY-->…<!--end-->`."""


def renewed(page: str, made: Mapping[str, Callable[[], str]] = MADE) -> str:
    """The Markdown of a page with its blocks, and its figures of claims, made anew.

    Raises:
        KeyError: a block has a name that nothing makes, or no study speaks to a claim.
        FileNotFoundError: a block is to show a file that is not there.
    """
    page = INLINE.sub(lambda of: f"{of[1]}{findings.finding(of[2], of[3])}{of[4]}", page)
    return BLOCK.sub(lambda block: f"{block['head']}\n{_content(block['name'], made)}\n\n{block['tail']}", page)


def _content(name: str, made: Mapping[str, Callable[[], str]]) -> str:
    kind, _, path = name.partition(" ")
    if kind != FILE:
        return made[name]()
    return f"```python\n{(ROOT / path).read_text(encoding='utf-8')}```"


def pages() -> list[Path]:
    """All pages that people write: README.md and docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
