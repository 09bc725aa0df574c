"""A page as Python writes it, of a small study, and what stands in it."""

import base64
import json
import zlib
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from stages.reporting.page.write_page import write_page
from stages.reporting.sentence_sets import read_sets
from stages.reporting.tables.all_tables import report_tables
from tests.helpers.browser import study

TITLES = {variant: kind.title for variant, kind in study.KINDS.items()}
SHAPE = study.Shape(("test", "test2"), (1, 2), sentences=8)
STAR, SILENT = "rnnsearch_star", "rnnencdec"


class Scripts(HTMLParser):
    """The script elements of a page as (attributes, text), and the attributes of all elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self.open = tag == "script"
        if self.open:
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.open:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data

    def handle_endtag(self, tag: str) -> None:
        self.open = False

    @property
    def data(self) -> dict[str, Any]:
        """The JSON of the page by its id."""
        return {of["id"]: json.loads(text) for of, text in self.scripts if of["type"] == "application/json"}


def opened(block: Mapping[str, str]) -> tuple[dict[str, Any], bytes | None]:
    """Text and weights of a block."""
    parts = {name: zlib.decompress(base64.b64decode(part)) for name, part in block.items()}
    return json.loads(parts["text"]), parts.get("weights")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    study.build(folder, study.KINDS, SHAPE)
    return folder


def make(folder: Path, report: Path, kinds: Mapping[str, study.Kind] = study.KINDS) -> str:
    report.mkdir(exist_ok=True)
    found = study.read(folder, kinds, SHAPE)
    write_page(found, read_sets(found), report_tables(found), report)
    return (report / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def written(small: Path) -> str:
    return make(small, small / "report")
