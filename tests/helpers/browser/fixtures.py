"""What the browser tests share: one browser, a page of a made-up study, and a page made by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from stages.reporting.page import contents
from stages.reporting.page.write_page import write_page
from stages.reporting.sentence_sets import read_sets
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.all_tables import report_tables
from tests.helpers import figure_study
from tests.helpers.browser import chromium, crafted, study
from tests.helpers.browser.example import FIGURES, SHAPE, TITLES, WIDE
from tests.helpers.browser.page import Page


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    """A study, in whose folder `report` its page can be written."""
    folder = tmp_path_factory.mktemp("study")
    study.build(folder, study.KINDS, SHAPE)
    for name, content in FIGURES.items():
        (folder / "report/figures" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "report/figures" / name).write_bytes(content)
    (folder / "report/README.md").write_text("Beside the page.", encoding="utf-8")
    return study.read(folder, study.KINDS, SHAPE)._replace(judged=figure_study.judged_of(figure_study.TITLES))


@pytest.fixture(scope="session")
def folder(made: StudyResults) -> Path:
    """Of the study, its page in report/index.html."""
    folder = made.text.folder.parent
    write_page(made, read_sets(made), report_tables(made), folder / "report")
    return folder


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium.running(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def page(driver: Chrome, folder: Path) -> Iterator[Page]:
    """Not loaded yet. After each test: no error, no word in the console, nothing asked of any host."""
    page = Page(driver, folder / "report/index.html")
    yield page
    assert chromium.console(driver) == []
    spec = chromium.requests(driver)
    assert page.address in {address.split("#")[0] for address in spec}
    assert {address.split(":")[0] for address in spec} <= {"file", "data", "blob"}


@pytest.fixture
def by_hand(driver: Chrome, made: StudyResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page of `crafted`, loaded; its only figure has no room inside."""
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/learning_curves.png").write_bytes(WIDE)
    monkeypatch.setattr(contents, "LIMIT", 0)
    write_page(made, [crafted.sentences(TITLES)], [crafted.TABLES], tmp_path)
    page = Page(driver, tmp_path / "index.html")
    page.load("")
    return page
