"""The tables of a report as files, and the list of them."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.outputs import LATEX, TABLES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.latex import latex
from stages.reporting.tables.looked_into import NAME as LOOKED_INTO
from stages.reporting.tables.looked_into import tried, write_looked_into
from stages.reporting.tables.main_table import main_page
from stages.reporting.tables.markdown import escape, page
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table_files import write_csv, write_text

ABOUT = f"""# Tables

Each as Markdown and as CSV (one line a cell, numbers in full precision; main.csv: one line a system); for LaTeX as
`../{LATEX}/<name>.tex`, which DVC keeps. Every table of the papers with our systems beside it:
[papers/papers.md](papers/papers.md).
"""
LOOKED = f"- [Looked into]({LOOKED_INTO}): what was tried, and found, where a system surprised.\n"


def write_tables(study: StudyResults, found: Sequence[ReportTable], folder: Path) -> None:
    """Two files a table in `tables` and one in `latex`, `tables/README.md`, a line a table, and `looked_into.md`.

    found: of `all_tables.report_tables`; folder: of the report.
    """
    corpus, languages = study.stats["corpus"], f"{study.text.source}-{study.text.target}"
    for entry in found:
        text = main_page(entry, study.document["recipe"]) if entry.name == "main" else page(entry)
        write_text(folder / TABLES / f"{entry.name}.md", text)
        write_csv(folder / TABLES / f"{entry.name}.csv", entry)
        named = entry._replace(title=f"{entry.title} ({corpus}, {languages})")
        write_text(folder / LATEX / f"{entry.name}.tex", latex(named, f"{study.spec.study}-{entry.name}"))
    write_looked_into(study, folder / TABLES)
    write_text(folder / TABLES / "README.md", table_list(found) + (LOOKED if tried(study) else ""))


def table_list(found: Sequence[ReportTable]) -> str:
    """A line a table with what it shows and the papers' tables that it is the counterpart of."""
    lines = []
    for entry in found:
        mirrors = f" Counterpart of {escape(entry.mirrors)}." if entry.mirrors else ""
        files = f"[{escape(entry.title)}]({entry.name}.md) ([csv]({entry.name}.csv))"
        lines.append(f"- {files}: {escape(entry.about)}{mirrors}")
    return "\n".join([ABOUT, *lines, ""])
