"""The tables of a report as files, and the list of them."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.main_table import main_page
from stages.reporting.study import Study
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import escape, page
from stages.reporting.tables.tidy import tidy

ABOUT = """# Tables

Each as Markdown, as CSV (one line a cell, numbers in full precision; main.csv: one line a system) and as LaTeX.
Every table of the papers with our systems beside it: [papers/papers.md](papers/papers.md).
"""


def write_tables(study: Study, found: Sequence[Entry], folder: Path) -> None:
    """Three files a table, and `README.md`, a line a table. found: of `contents.entries`."""
    corpus, languages = study.stats["corpus"], f"{study.text.source}-{study.text.target}"
    for entry in found:
        text = main_page(entry, study.document["recipe"]) if entry.name == "main" else page(entry)
        _write(folder / f"{entry.name}.md", text)
        named = entry._replace(title=f"{entry.title} ({corpus}, {languages})")
        _write(folder / f"{entry.name}.tex", latex(named, f"{corpus}-{entry.name}"))
        tidy(entry).to_csv(folder / f"{entry.name}.csv", index=False, lineterminator="\n")
    _write(folder / "README.md", listing(found))


def listing(found: Sequence[Entry]) -> str:
    """A line a table with what it shows and the papers' tables that it is the counterpart of."""
    lines = []
    for entry in found:
        files = " ".join(f"[{kind}]({entry.name}.{kind})" for kind in ("csv", "tex"))
        mirrors = f" Counterpart of {escape(entry.mirrors)}." if entry.mirrors else ""
        lines.append(f"- [{escape(entry.title)}]({entry.name}.md) ({files}): {escape(entry.about)}{mirrors}")
    return "\n".join([ABOUT, *lines, ""])


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
