"""A hostile corpus through the whole pipeline: to the page in a browser, the tables of spreadsheets, and pdflatex."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from stages.reporting.tables.latex import CHINESE
from tests.attack import hostile, study
from tests.attack.long import long
from tests.helpers.browser import chromium

FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{booktabs,adjustbox,array,rotating,graphicx}
\begin{document}\input{table}\end{document}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The report of the tiny study on that corpus."""
    folder = tmp_path_factory.mktemp("hostile").resolve()
    hostile.write(folder / "text")
    checkout = study.Checkout(folder / "checkout")
    checkout.make(hostile.settings(folder / "text"))
    answer = checkout.run()
    assert answer.returncode == 0, answer.stdout[-6000:] + answer.stderr[-6000:]
    assert not list(folder.rglob("*harmed*"))  # what the shell would have made
    return checkout.folder / "reports" / study.STUDY


@pytest.mark.browser
@long
def test_the_page_shows_it_and_obeys_nothing(report, tmp_path):
    if reason := chromium.missing():
        pytest.skip(reason)
    with chromium.running(tmp_path) as driver:
        driver.get(f"file://{report}/index.html")
        assert driver.execute_script("return document.title") == "Attention variants: demo, zh → en"
        shown = driver.execute_script("return document.body.innerText")
        assert [title for title in hostile.TITLES.values() if title not in shown] == []
        assert chromium.console(driver) == []
        asked = {address.split(":")[0] for address in chromium.requests(driver)}
        assert asked <= {"file", "data", "blob"}


@pytest.mark.process
@long
def test_no_cell_of_a_spreadsheet_is_a_formula_and_no_text_controls_a_terminal(report):
    cells = [
        (path, cell)
        for path in report.rglob("*.csv")
        for row in csv.reader(path.read_text(encoding="utf-8").splitlines())
        for cell in row
    ]
    assert [one for one in cells if one[1].startswith(FORMULA) and not NUMBER.fullmatch(one[1])] == []
    texts = [path for end in ("csv", "md", "tex", "json") for path in report.rglob(f"*.{end}")]
    assert len(texts) > 20
    assert [path for path in texts if CONTROL.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.process
@long
def test_tables_are_what_latex_sets(report, tmp_path):
    """Those that hold Chinese say that they need another LaTeX."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex: sudo apt install texlive-latex-extra")
    (tmp_path / "document.tex").write_text(DOCUMENT, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"]
    tables = [path for path in sorted(report.rglob("*.tex")) if CHINESE not in path.read_text(encoding="utf-8")]
    assert len(tables) > 3
    for path in tables:
        shutil.copy(path, tmp_path / "table.tex")
        answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
        assert answer.returncode == 0, f"{path}: {answer.stdout[-3000:]}"
        assert "root:" not in answer.stdout and "passwd" not in answer.stdout
