"""The papers' tables with ours as files: one Markdown page, and a CSV and a LaTeX file a table."""

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from stages.reporting.outputs import LATEX, TABLES
from stages.reporting.papers.comparison import Beside, CorpusSummary, PaperLine
from stages.reporting.papers.paper_tables import PaperWord
from stages.reporting.papers.papers_page import ANSWERS, circumstances, counts_words, grid, papers_page
from stages.reporting.tables.latex import latex
from stages.reporting.tables.table import ReportTable
from stages.reporting.tables.table_files import harmless, write_text

PAGE = f"{TABLES}/papers/papers.md"
CSV_COLUMNS = (
    "system",
    "column",
    "figure",
    "marks",
    "variant",
    "measure",
    "ours",
    "against",
    "base",
    "paper_difference",
    "our_difference",
    "our_mark",
    "sign_agrees",
)


def write_papers(
    tables: Sequence[Beside], corpus: CorpusSummary, study: str, folder: Path, words: Sequence[PaperWord] = ()
) -> None:
    """Write `tables/papers/papers.md` and, a table, `<paper>-<table>.csv` beside it with one line a figure of the
    paper, and `latex/papers/<paper>-<table>.tex`.

    study: its name; folder: of the report. words: frequent source words and what the transform of direct bridging finds
    for them, as in Kuang's Table 7.
    """
    write_text(folder / PAGE, papers_page(tables, corpus, words))
    for each in tables:
        place = re.sub(r"[^a-z0-9]+", "-", each.table.number.lower()).strip("-")
        name = f"{each.name}-{place}"
        write_text(folder / LATEX / "papers" / f"{name}.tex", latex(_entry(each, corpus, name), f"{study}-{name}"))
        with open(folder / TABLES / "papers" / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(CSV_COLUMNS)
            lines.writerows(map(harmless, record) for record in _records(each))


def _entry(each: Beside, corpus: CorpusSummary, name: str) -> ReportTable:
    title = f"{each.paper}, {each.table.number}: {each.table.caption}"
    known = corpus.unknown_words if counts_words(each) else None
    unknown = (f"unknown words in ours: {known}",) if known else ()
    own = (note.removesuffix(".") for note in each.table.notes)
    notes = (circumstances(each, corpus).removesuffix("."), *unknown, *own)
    return ReportTable(name, title, "", "", {"": grid(each)}, notes)


def _records(each: Beside) -> Iterable[tuple[object, ...]]:
    for line in each.lines:
        for label, figure in line.figures.items():
            yield line.row.heading, label, figure.number, figure.marks, line.row.variant, *_record(line, label)


def _record(line: PaperLine, label: str) -> tuple[object, ...]:
    if label not in line.comparisons:
        return (None,) * 8
    found = line.comparisons[label]
    answer = None if found.agrees is None else ANSWERS[found.agrees]
    differences = (found.paper_difference, found.our_difference, found.mark)
    return (found.counterpart.measure, found.ours, line.against, line.base, *differences, answer)
