"""A table as LaTeX, with the rules of booktabs."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from stages.reporting.fonts import is_cjk
from stages.reporting.tables.table import Cell, ReportTable, Table, without_arrow

HEADING_LINES = 3
"""At most; a heading that needs more over narrow cells widens its column."""

WIDEST = 80
"""Characters of a column of words; a wider one is set in paragraphs of that width."""

PARAGRAPH = rf">{{\raggedright\arraybackslash}}p{{{0.45 * WIDEST:g}em}}"
CHARACTER, LINE, GAP = 4.6, 12, 9
"""Width of a character, height of a line and space between two columns at 10 pt, in points."""

UPRIGHT, SIDEWAYS = (345, 467), (550, 367)
"""Room of a table in LaTeX's article, points: caption and notes have the rest of the page. One on its side has that
page for itself, and may be wider than the text."""

SMALL = 0.7
"""A table that would be smaller than this share of its size is turned if it is larger then."""


class Shape(NamedTuple):
    """Per column `l` or `r`, the preamble of the tabular, the lines of each heading, and whether the table lies on its
    side."""

    aligned: tuple[str, ...]
    columns: str
    headings: tuple[tuple[str, ...], ...]
    sideways: bool


def shape(table: Table) -> Shape:
    """A heading takes the width of the cells below it, and as many lines as that needs, up to `HEADING_LINES`."""
    aligned = tuple("l" if k == 0 or name in table.words else "r" for k, name in enumerate(table.headings))
    texts = zip(*([title, *(cell.text + cell.marks for cell in cells)] for title, cells in table.rows), strict=True)
    widths = [min(max(map(len, column)), WIDEST) for column in texts] or [0] * len(aligned)
    headings = tuple(_broken(name, width) for name, width in zip(table.headings, widths, strict=True))
    paragraphs = [kind == "l" and width == WIDEST for kind, width in zip(aligned, widths, strict=True)]
    columns = "".join(PARAGRAPH if long else kind for long, kind in zip(paragraphs, aligned, strict=True))
    wide = sum(max(width, *map(len, lines)) for width, lines in zip(widths, headings, strict=True))
    size = (wide * CHARACTER + len(widths) * GAP, (len(table.rows) + max(map(len, headings))) * LINE)
    upright, sideways = _scale(size, UPRIGHT), _scale(size, SIDEWAYS)
    return Shape(aligned, columns, headings, upright < min(sideways, SMALL))


def _scale(size: tuple[float, float], room: tuple[float, float]) -> float:
    """What is left of a size, width and height, when it is made to fit."""
    return min(1, *(has / needs for has, needs in zip(room, size, strict=True)))


def _broken(heading: str, width: int) -> tuple[str, ...]:
    """Lines of at most `width` characters or a word, longer ones where they would be too many; the arrow stays with the
    word before it."""
    name = without_arrow(heading)
    tried = (
        wrap(name, at_most, break_long_words=False, break_on_hyphens=False)
        for at_most in range(max(width, 1), max(width, len(name)) + 1)
    )
    *before, last = next((lines for lines in tried if 0 < len(lines) <= HEADING_LINES), [""])
    return (*before, last + heading.removeprefix(name))


SPECIAL = {
    **{char: rf"\{char}" for char in "{}&%$#_"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\n": " ",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\to$",
    "‡": r"$\ddagger$",
    "⋆": r"$\star$",
    "†": r"$\dagger$",
}
CHINESE = "% Holds Chinese characters: compile with XeLaTeX or LuaLaTeX and \\usepackage{xeCJK} or {luatexja-fontspec}."
NOTE_LINE = 100
"""Characters of the notes that fit into one line, which stands in the middle; more is a paragraph."""


def latex(entry: ReportTable, label: str) -> str:
    """Every part as a float with its caption, the label `tab:<label>` (`tab:<label>-<n>` of several parts, from 1), and
    the notes below it."""
    several = len(entry.parts) > 1
    shapes = [shape(table) for table in entry.parts.values()]
    floats = (
        "\n".join(_float(table, of, entry.caption(part), entry.notes, f"{label}-{n}" if several else label)) + "\n"
        for n, ((part, table), of) in enumerate(zip(entry.parts.items(), shapes, strict=True), 1)
    )
    body = "\n".join(floats)
    return "\n".join([_packages(shapes), *([CHINESE] if any(map(is_cjk, body)) else []), body])


def _packages(shapes: Sequence[Shape]) -> str:
    paragraphs = ["array"] if any(PARAGRAPH in of.columns for of in shapes) else []
    sideways = ["rotating"] if any(of.sideways for of in shapes) else []
    return f"% Needs \\usepackage{{{','.join(['booktabs', 'adjustbox', *paragraphs, *sideways])}}}."


def _float(table: Table, of: Shape, caption: str, notes: Sequence[str], label: str) -> Iterator[str]:
    # The star lets a sideways table of two columns of text fill the page. On its side, \textwidth is the height of the
    # text: the width of the paper alone keeps its name.
    kind, highest = ("sidewaystable*", r"0.6\paperwidth") if of.sideways else ("table", r"0.85\textheight")
    yield rf"\begin{{{kind}}}"
    yield r"  \centering"
    yield rf"  \caption{{{escape_latex(caption)}}}"
    yield rf"  \label{{tab:{re.sub('[^A-Za-z0-9-]+', '-', label)}}}"
    if of.sideways:
        yield r"  \setlength{\tabcolsep}{4pt}"
    yield rf"  \begin{{adjustbox}}{{max width=\linewidth, max totalheight={highest}}}"
    yield rf"  \begin{{tabular}}{{{of.columns}}}"
    yield r"    \toprule"
    yield _row([_heading(lines, align) for lines, align in zip(of.headings, of.aligned, strict=True)])
    yield r"    \midrule"
    for title, cells in table.rows:
        yield _row([escape_latex(title), *map(_cell, cells)])
    yield r"    \bottomrule"
    yield r"  \end{tabular}"
    yield r"  \end{adjustbox}"
    if notes:
        written = "; ".join(notes)
        ragged = r"\raggedright" if len(written) > NOTE_LINE else ""
        yield rf"  \par\smallskip{ragged}\footnotesize {escape_latex(written)}."
    yield rf"\end{{{kind}}}"


def _heading(lines: Sequence[str], align: str) -> str:
    """Lines above one another, the last on the level of its neighbours."""
    if len(lines) == 1:
        return escape_latex(lines[0])
    stacked = r" \\ ".join(_guarded(escape_latex(line)) for line in lines)
    return rf"\begin{{tabular}}[b]{{@{{}}{align}@{{}}}}{stacked}\end{{tabular}}"


def _row(cells: Sequence[str]) -> str:
    return rf"    {' & '.join([_guarded(cells[0]), *cells[1:]])} \\"


def _guarded(text: str) -> str:
    """The line break before it would take a leading [ or * for its own."""
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{escape_latex(cell.text)}}}" if cell.best else escape_latex(cell.text)
    return text + (rf"\textsuperscript{{{escape_latex(cell.marks)}}}" if cell.marks else "")


def escape_latex(text: str) -> str:
    """Text that LaTeX sets as it is; the hyphen in front of a number, or alone between spaces, is a minus."""
    minus = re.sub(r"(?<!\w)-(?=\d)|(?<= )-(?= )", "−", text)
    return "".join(SPECIAL.get(char, char) for char in minus)
