"""Which tables a report has, in the order of their list, and how they are written as files."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.outputs import LATEX, TABLES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables import measure_tables as of_measures
from stages.reporting.tables.bridged_words import transform
from stages.reporting.tables.claims import claims
from stages.reporting.tables.data import data
from stages.reporting.tables.differences import differences
from stages.reporting.tables.formulas import formulas
from stages.reporting.tables.latex import latex
from stages.reporting.tables.main_table import main_entry, main_page
from stages.reporting.tables.markdown import escape, page
from stages.reporting.tables.measured import measured
from stages.reporting.tables.pos_confusion import pos_confusion
from stages.reporting.tables.read_outs import read_outs
from stages.reporting.tables.table import ReportTable
from stages.reporting.tables.table_files import write_csv, write_text

IN_ORDER = (
    *(of_measures.QUALITY.of, of_measures.ABLATION.of, of_measures.BY_LENGTH.of, of_measures.UNKNOWN_WORDS.of),
    *(of_measures.ALIGNMENT_QUALITY.of, read_outs, of_measures.OVER_TRANSLATION.of),
    *(of_measures.COVERAGE_EMBEDDINGS.of, of_measures.END_OF_SENTENCE.of, pos_confusion, transform),
    *(of_measures.PERPLEXITY.of, of_measures.COSTS.of, data),
)


def report_tables(study: StudyResults) -> list[ReportTable]:
    """Those that the study has something for."""
    numbers = measured(study.document)
    found = [make(study, numbers) for make in IN_ORDER]
    last = formulas(study.spec.titles, study.spec.models, study.spec.decoded)
    first = [main_entry(study), claims(study), differences(study)]
    return [*first, *(entry for entry in [*found, last] if entry is not None)]


LOOKED_INTO = "looked_into.md"
TRIED = """# Looked into

Where a system surprised, this is what was tried and what was found. The verdicts are in [claims.md](claims.md).
"""


def tried(study: StudyResults) -> dict[str, str]:
    """System of the study -> what was tried and found."""
    return {name: study.looked[name] for name in study.spec.titles if name in study.looked}


def write_looked_into(study: StudyResults, folder: Path) -> None:
    """To `folder`, where nothing is written if nothing was tried."""
    texts = tried(study)
    sections = [f"## {escape(study.spec.titles[name])}\n\n{escape(text)}\n" for name, text in texts.items()]
    if sections:
        write_text(folder / LOOKED_INTO, "\n".join([TRIED, *sections]))


ABOUT = f"""# Tables

Each as Markdown and as CSV (numbers in full precision; one line a cell, but a system in main.csv, a comparison in
differences.csv, a claim in claims.csv, a printed figure in papers/); for LaTeX as `../{LATEX}/<name>.tex`, which DVC
keeps. Every table of the papers with our systems beside it:
[papers/papers.md](papers/papers.md).
"""
LOOKED = f"- [Looked into]({LOOKED_INTO}): what was tried, and found, where a system surprised.\n"


def write_tables(study: StudyResults, found: Sequence[ReportTable], folder: Path) -> None:
    """Two files a table in `tables` and one in `latex`, `tables/README.md`, a line a table, and `looked_into.md`.

    found: of `report_tables`; folder: of the report.
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
