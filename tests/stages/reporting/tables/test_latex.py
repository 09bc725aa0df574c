"""The tables in LaTeX as far as they can be tested without it: braces, specials, columns, which way up they stand."""

import re

import numpy as np
import pytest

from stages.reporting.tables.latex import NOTE_LINE, PARAGRAPH, SPECIAL, WIDEST, latex, shape
from stages.reporting.tables.table import Cell, ReportTable, Table

HOSTILE = r"a&b 50% $x$ #1 s_i {y} ~h ^2 \n | *c* <d> [e] − ± Δ ↑ ↓ → ‡ ⋆ † –"
LONG = "some words " * WIDEST


def table(columns: int, rows: int, text: str = "12.34", title: str = "RNNsearch", heading: str = "BLEU ↑") -> Table:
    headings = ("System", *(f"{heading} {k}" for k in range(columns)))
    return Table(headings, tuple((title, (Cell(text, best=True, marks="‡"),) * columns) for _ in range(rows)))


def written(*tables: Table, notes: tuple[str, ...] = ("note",)) -> str:
    return latex(ReportTable("x", "Title", "", "", {str(k): one for k, one in enumerate(tables)}, notes), "x")


TABLES = {
    "small": table(2, 3),
    "wide": table(15, 4),
    "long": table(3, 60),
    "wide and long": table(15, 60),
    "hostile": table(4, 2, HOSTILE, HOSTILE, HOSTILE),
    "hostile and wide": table(14, 2, HOSTILE, HOSTILE, HOSTILE),
    "words": Table(("", "formula"), (("a", (Cell(LONG),)),), words=frozenset({"formula"})),
    "headings that TeX would take for lengths": table(2, 2, heading="[0] *"),
    "without rows": Table(("System", "BLEU ↑"), ()),
}


@pytest.mark.parametrize("name", list(TABLES))
def test_structure(name: str) -> None:
    """Braces match, nothing special stands bare, and each row has as many cells as the preamble has columns."""
    text = "\n".join(line for line in written(TABLES[name]).splitlines() if not line.startswith("%"))
    bare = re.sub(r"\\[&%$#_{}]", "", text)
    depth = np.cumsum([(char == "{") - (char == "}") for char in bare])
    assert depth.min() == 0 and depth[-1] == 0
    assert not re.search(r"[%#_~^<|]", bare.replace(PARAGRAPH, "")) and bare.count("$") % 2 == 0
    assert bare.isascii()
    (preamble,) = re.findall(r"^  \\begin\{tabular\}\{(.*)\}$", bare, re.MULTILINE)
    columns = re.fullmatch(r"[lr]+", preamble.replace(PARAGRAPH, "l"))[0]
    rows = [line for line in bare.splitlines() if line.startswith("    ") and line.endswith(r"\\")]
    assert [row.count("&") for row in rows] == [len(columns) - 1] * (len(TABLES[name].rows) + 1)
    assert not re.search(r"(\\\\|^   ) *[\[*]", "\n".join(rows), re.MULTILINE)
    opened, closed = (re.findall(rf"\\{word}\{{(.*?)\}}", bare) for word in ("begin", "end"))
    assert sorted(opened) == sorted(closed)


def test_a_heading_is_as_wide_as_its_numbers() -> None:
    """And its arrow stays with its last word."""
    one = Table(("System", "align precision ↑", "TER ↓"), (("A", (Cell("12.34"), Cell("7"))),))
    assert shape(one).headings == (("System",), ("align", "precision ↑"), ("TER ↓",))
    assert r"System & \begin{tabular}[b]{@{}r@{}}align \\ precision $\uparrow$\end{tabular} & TER" in written(one)


def test_a_heading_of_many_words_is_no_tower() -> None:
    one = Table(("System", "sign test: better, worse, p"), (("A", (Cell("–"),)),))
    assert shape(one).headings[1] == ("sign test:", "better,", "worse, p")


@pytest.mark.parametrize(
    ("name", "sideways"), [("small", False), ("wide", True), ("long", False), ("hostile and wide", True)]
)
def test_a_table_is_turned_where_that_makes_it_larger(name: str, sideways: bool) -> None:
    text = written(TABLES[name])
    assert (r"\begin{sidewaystable*}" in text) is sideways
    assert (r"\begin{table}" in text) is not sideways
    assert ("rotating" in text.splitlines()[0]) is sideways


def test_a_table_on_its_side_is_measured_by_the_paper() -> None:
    r"""There \textwidth says the height of the text, and the table would run off the paper."""
    assert r"max width=\linewidth, max totalheight=0.6\paperwidth" in written(TABLES["wide"])
    assert r"max width=\linewidth, max totalheight=0.85\textheight" in written(TABLES["small"])


def test_long_words_are_paragraphs() -> None:
    text = written(TABLES["words"])
    assert rf"\begin{{tabular}}{{l{PARAGRAPH}}}" in text
    assert text.startswith("% Needs \\usepackage{booktabs,adjustbox,array")


def test_packages_are_those_of_all_parts() -> None:
    first = written(TABLES["small"], TABLES["wide"]).splitlines()[0]
    assert first == r"% Needs \usepackage{booktabs,adjustbox,rotating}."


@pytest.mark.parametrize(("note", "ragged"), [("a" * NOTE_LINE, False), ("a" * (NOTE_LINE + 1), True)])
def test_notes_of_several_lines_begin_at_the_left(note: str, ragged: bool) -> None:
    assert (rf"\smallskip\raggedright\footnotesize {note}." in written(TABLES["small"], notes=(note,))) is ragged


def test_minus_signs() -> None:
    text = written(table(1, 1, "-1.5 to 2-3, x - y, BA-NMT"))
    assert r"$-$1.5 to 2-3, x $-$ y, BA-NMT" in text


def test_every_sign_has_its_command() -> None:
    assert all(command.isascii() for command in SPECIAL.values())
