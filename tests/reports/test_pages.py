"""A committed page is made from code that is committed too."""

import re

import pytest

from tests.helpers.paths import ROOT
from tests.reports.test_studies import REPORTS

PAGES = [name for name, path in sorted(REPORTS.items()) if (path.parent / "index.html").exists()]


def test_there_are_pages_of_studies_on_real_text():
    assert {"hansards-en-fr", "multi30k-de-en", "zh-en"} <= set(PAGES)


@pytest.mark.parametrize("study", PAGES)
def test_it_was_made_from_committed_code(study):
    file = ROOT / "reports" / study / "index.html"
    assert file.stat().st_size <= 4_000_000, "a browser is slow with more"
    page = file.read_text(encoding="utf-8")
    (made,) = re.findall(r"Made from commit [^\"]*", page)
    assert re.fullmatch(r"Made from commit [0-9a-f]{40}\.", made)
