"""The tables of the papers with ours as files: one Markdown page with the paper's columns, ours, and how the two
compare; a CSV and a LaTeX file a table."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import zip_longest
from pathlib import Path

import pandas as pd

from stages.reporting.outputs import LATEX, TABLES
from stages.reporting.papers.comparison import (
    DIGITS,
    Agreement,
    ComparedRow,
    ComparedTable,
    ComparedValue,
    CorpusSummary,
    Difference,
    agreement,
)  # fmt: skip
from stages.reporting.papers.paper_tables import PaperWord
from stages.reporting.tables.bridged_words import BOTH
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import ARROWS, MISSING, Cell, ReportTable, Table, signed
from stages.reporting.tables.table_files import write_csv, write_text

ABOUT = """# Beside the papers

Every table of numbers in the papers, as printed, with this study's systems beside it. Other data, other sizes, other
test sets: **the absolute numbers do not compare**. What can be held against each other is whether a change that helps
in the paper helps here, so for every difference to the baseline (Δ) the table says whether the signs agree. A sign is
no finding by itself: [claims.md](../claims.md) says which of the papers' conclusions hold.

- ours: mean over the seeds; where the paper has the average of its test sets, the average of this corpus's test sets.
- –: the paper prints nothing, or the study has no value; no sign where a difference is missing or 0 as written.
- not run: a system of the paper that we do not have. not in this study: a variant that this study leaves out.
- ‡ ⋆ behind a difference of ours: better than the baseline, than every rival, on every test set, as comparisons.json
  has it. Differences to another baseline than its own are not tested.
- ↑ ↓: which way is better. Measures without an arrow are not counted in the summary.
"""

SAY_IT_THEMSELVES = {f"tests.average.{name}" for name in ("bleu_unk_kept", "bleu_no_unk")}
"""Measures whose names say what becomes of unknown words."""

ANSWERS = {True: "yes", False: "no", None: MISSING}


def papers_page(tables: Sequence[ComparedTable], corpus: CorpusSummary, words: Sequence[PaperWord]) -> str:
    """All tables under the names of their papers, below a summary of the signs. words: ours, for Kuang's Table 7."""
    parts = [ABOUT, _summary(agreement(tables))]
    for paper in dict.fromkeys(each.paper for each in tables):
        parts.append(f"## {escape(paper)}\n")
        parts += [_section(each, corpus, words) for each in tables if each.paper == paper]
    return "\n".join(parts)


def grid(each: ComparedTable) -> Table:
    """The paper's columns, then for each measure ours, both differences and whether their signs agree (bold: no)."""
    printed = [column.label for column in each.table.columns]
    compared = [label for label in printed if any(label in line.comparisons for line in each.lines)]
    headings = ["System", *printed]
    for label in compared:
        of = f" {label}" if len(compared) > 1 else ""
        ways = {line.comparisons[label].counterpart.better for line in each.lines if label in line.comparisons}
        arrow = ARROWS[ways.pop()] if len(ways) == 1 else ""
        headings += [f"ours{of}{arrow}", f"Δ paper{of}", f"Δ ours{of}", f"sign agrees{of}"]
    rows = []
    for line in each.lines:
        figures = [line.figures[label] for label in printed]
        cells = [Cell(str(figure._replace(marks="")), marks=figure.marks) for figure in figures]
        for label in compared:
            cells += _cells(line.comparisons.get(label), line.absent)
        rows.append((line.row.heading, tuple(cells)))
    return Table(tuple(headings), tuple(rows))


def _cells(comparison: ComparedValue | None, absent: str | None) -> list[Cell]:
    if comparison is None:
        return [Cell(MISSING)] * 4
    value = MISSING if comparison.ours is None else f"{comparison.ours:.{DIGITS}f}"
    ours = Cell(_difference(comparison), marks=comparison.mark if comparison.our_difference is not None else "")
    answer = Cell(ANSWERS[comparison.agrees], comparison.agrees is False)
    return [Cell(absent or value), Cell(_signed(comparison.paper_difference)), ours, answer]


def _signed(value: object) -> str:
    """A decimal keeps the digits that the paper prints."""
    return MISSING if value is None else f"{value:+}"


def _difference(comparison: ComparedValue) -> str:
    difference = comparison.our_difference
    return MISSING if difference is None else signed(difference, DIGITS)


def _section(each: ComparedTable, corpus: CorpusSummary, words: Sequence[PaperWord]) -> str:
    table = each.table
    return "\n".join(
        [
            f"### {escape(f'{table.number}: {table.caption}')}",
            "",
            escape(circumstances(each, corpus)),
            "",
            markdown(grid(each)),
            *(f"- {note}" for note in _notes(each, corpus)),
            *(["", _words(table.words, words)] if table.words else []),
            "",
        ]
    )


def circumstances(each: ComparedTable, corpus: CorpusSummary) -> str:
    """Data and sizes of the paper and of the study."""
    table = each.table
    return (
        f"Paper: {table.pair}; {table.data}; {table.sizes}. Here: corpus {corpus.corpus}, {corpus.direction}, "
        f"{corpus.train_pairs:,} training pairs; embeddings {corpus.embed_dim}, hidden {corpus.hidden_dim}; test sets "
        f"{', '.join(corpus.tests)}. Absolute numbers do not compare."
    )


def counts_words(each: ComparedTable) -> bool:
    """Whether ours are counts of translated words, which depend on what stands for the unknown ones."""
    measures = {found.counterpart.measure for line in each.lines for found in line.comparisons.values()}
    return any(measure.startswith(("tests.", "pos_confusion.")) for measure in measures - SAY_IT_THEMSELVES)


def _words(paper: Sequence[PaperWord], ours: Sequence[PaperWord]) -> str:
    """The paper's words and ours, which are those of another corpus, by rank of the source word."""

    def cells(word: PaperWord | None) -> list[Cell]:
        texts = (word.source, word.nearest, word.lexicon) if word else (None, None, None)
        return [Cell(MISSING if text is None else text) for text in texts]

    pairs = enumerate(zip_longest(paper, ours), 1)
    rows = tuple((str(rank), (*cells(theirs), *cells(own))) for rank, (theirs, own) in pairs)
    headings = ("source", "transform", "lexical table")
    return markdown(Table(("Rank", *headings, *(f"ours: {heading}" for heading in headings)), rows)).rstrip("\n")


def _notes(each: ComparedTable, corpus: CorpusSummary) -> Iterable[str]:
    table, run = each.table, [line for line in each.lines if line.row.variant]
    own = [f"{escape(line.row.heading)} to {escape(line.row.against)}" for line in each.lines if line.row.against]
    if differences := [*([f"to {escape(table.baseline)}"] if table.baseline else []), *own]:
        yield f"Differences: {'; '.join(differences)}."
    systems = dict.fromkeys(f"{escape(line.row.label)} `{line.row.variant}`" for line in run)
    yield f"Systems of the study: {'; '.join(systems)}."
    bases = dict.fromkeys(line.base for line in run if line.row.base)
    for base in bases:
        built_on_it = "; ".join(escape(line.row.heading) for line in run if line.row.base == base)
        yield f"The baseline of ours is `{base}` for {built_on_it}."
    if left_out := [f"{escape(line.row.heading)} ({line.row.not_run})" for line in each.lines if line.row.not_run]:
        yield f"Not run: {'; '.join(left_out)}."
    ours = [found.ours for line in run for found in line.comparisons.values()]
    here = any(line.absent is None and line.comparisons for line in run)  # a system, and a measure of ours
    if here and all(value is None for value in ours):
        yield "Nothing of ours: the corpus has no such measure, by its languages or for lack of tags or gold links."
    if corpus.unknown_words and counts_words(each):
        yield f"Unknown words in ours: {escape(corpus.unknown_words)}."
    if corpus.shared_vocabulary and table.words:
        yield f"Ours: {BOTH}."
    yield from map(escape, table.notes)


def _summary(found: Sequence[Agreement]) -> str:
    counts = {each.paper: (each.printed, each.compared, each.compared - len(each.disagreeing)) for each in found}
    rows = tuple((paper, tuple(Cell(str(n), number=n) for n in numbers)) for paper, numbers in counts.items())
    headings = ("Paper", "differences printed", "of these compared here", "of these with the same sign")
    other = (
        "Those with another sign here:" if any(each.disagreeing for each in found) else "None has another sign here."
    )
    once = f"A difference that a paper prints in several tables counts once. {other}"
    lines = ["## Signs", "", markdown(Table(headings, rows)), once, ""]
    lines += [f"- {escape(each.paper)}, {_sentence(difference)}" for each in found for difference in each.disagreeing]
    return "\n".join([*lines, ""])


def _sentence(difference: Difference) -> str:
    comparison, line = difference.comparison, difference.line
    assert comparison.paper_difference is not None and comparison.our_difference is not None  # or they would not differ
    paper = f"{_signed(comparison.paper_difference)} ({_verdict(comparison, comparison.paper_difference)})"
    ours = f"{_difference(comparison)}{comparison.mark} ({_verdict(comparison, comparison.our_difference)})"
    return f"{escape(f'{difference.table}, {line.row.heading}, {difference.column}')}: paper {paper}, here {ours}"


def _verdict(comparison: ComparedValue, value: Decimal | float) -> str:
    return "better" if (value > 0) == (comparison.counterpart.better == "high") else "worse"


PAGE = f"{TABLES}/papers/papers.md"
CSV_COLUMNS = (
    *("system", "column", "figure", "marks", "variant", "measure", "ours", "against", "base"),
    *("paper_difference", "our_difference", "our_mark", "sign_agrees"),
)


def write_papers(
    tables: Sequence[ComparedTable], corpus: CorpusSummary, study: str, folder: Path, words: Sequence[PaperWord]
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
        entry = _report_table(each, corpus, name)
        write_text(folder / LATEX / "papers" / f"{name}.tex", latex(entry, f"{study}-{name}"))
        write_csv(folder / TABLES / "papers" / f"{name}.csv", entry)


def _report_table(each: ComparedTable, corpus: CorpusSummary, name: str) -> ReportTable:
    title = f"{each.paper}, {each.table.number}: {each.table.caption}"
    known = corpus.unknown_words if counts_words(each) else None
    unknown = (f"unknown words in ours: {known}",) if known else ()
    own = (note.removesuffix(".") for note in each.table.notes)
    notes = (circumstances(each, corpus).removesuffix("."), *unknown, *own)
    records = pd.DataFrame(list(_records(each)), columns=CSV_COLUMNS, dtype=object)
    return ReportTable(name, title, "", "", {"": grid(each)}, notes, records)


def _records(each: ComparedTable) -> Iterable[tuple[object, ...]]:
    for line in each.lines:
        for label, figure in line.figures.items():
            yield line.row.heading, label, figure.number, figure.marks, line.row.variant, *_record(line, label)


def _record(line: ComparedRow, label: str) -> tuple[object, ...]:
    if label not in line.comparisons:
        return (None,) * 8
    found = line.comparisons[label]
    answer = None if found.agrees is None else ANSWERS[found.agrees]
    differences = (found.paper_difference, found.our_difference, found.mark)
    return (found.counterpart.measure, found.ours, line.against, line.base, *differences, answer)
