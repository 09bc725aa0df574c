"""A table as LaTeX, with the rules of booktabs."""

import re
from collections.abc import Iterator, Sequence

from stages.reporting.fonts import is_cjk
from stages.reporting.table import Cell, Table
from stages.reporting.tables.entry import Entry

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
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
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\to$",
    "‡": r"$\ddagger$",
    "⋆": r"$\star$",
    "†": r"$\dagger$",
}
PACKAGES = "% Needs \\usepackage{booktabs,adjustbox}."
CHINESE = "% Holds Chinese characters: compile with XeLaTeX or LuaLaTeX and \\usepackage{xeCJK} or {luatexja-fontspec}."


def latex(entry: Entry, label: str) -> str:
    """Every part as a float with its caption, the label `tab:<label>` (`tab:<label>-<n>` of several parts, from 1), and
    the notes below it."""
    several = len(entry.parts) > 1
    floats = (
        _float(table, entry.caption(part), entry.notes, f"{label}-{n}" if several else label)
        for n, (part, table) in enumerate(entry.parts.items(), 1)
    )
    body = "\n".join(floats)
    return "\n".join([PACKAGES, *([CHINESE] if any(map(is_cjk, body)) else []), body])


def _float(table: Table, caption: str, notes: Sequence[str], label: str) -> str:
    return "\n".join(_lines(table, caption, notes, label)) + "\n"


def _lines(table: Table, caption: str, notes: Sequence[str], label: str) -> Iterator[str]:
    columns = "".join("l" if i == 0 or name in table.words else "r" for i, name in enumerate(table.headings))
    yield r"\begin{table}"
    yield r"  \centering"
    yield rf"  \caption{{{escape(caption)}}}"
    yield rf"  \label{{tab:{re.sub('[^A-Za-z0-9-]+', '-', label)}}}"
    yield r"  \begin{adjustbox}{max width=\linewidth, max totalheight=0.85\textheight}"
    yield rf"  \begin{{tabular}}{{{columns}}}"
    yield r"    \toprule"
    yield _row([escape(heading) for heading in table.headings])
    yield r"    \midrule"
    for title, cells in table.rows:
        yield _row([escape(title), *map(_cell, cells)])
    yield r"    \bottomrule"
    yield r"  \end{tabular}"
    yield r"  \end{adjustbox}"
    if notes:
        yield rf"  \par\smallskip\footnotesize {'; '.join(map(escape, notes))}."
    yield r"\end{table}"


def _row(cells: Sequence[str]) -> str:
    # The line break before this row would take a leading [ or * for its own.
    first = f"{{}}{cells[0]}" if cells[0].startswith(("[", "*")) else cells[0]
    return rf"    {' & '.join([first, *cells[1:]])} \\"


def _cell(cell: Cell) -> str:
    text = rf"\textbf{{{escape(cell.text)}}}" if cell.best else escape(cell.text)
    return text + (rf"\textsuperscript{{{escape(cell.marks)}}}" if cell.marks else "")


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; the hyphen in front of a number is a minus."""
    minus = re.sub(r"(?<!\w)-(?=\d)", "−", text)
    return "".join(SPECIAL.get(char, char) for char in minus)
