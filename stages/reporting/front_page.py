"""`README.md` of a report: which claims hold, the best systems, a few figures, and where everything else is."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from stages.reporting import outputs
from stages.reporting.figures.all_figures import CLAIMS, FRONT, captions
from stages.reporting.hours import said
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.claims import claims_table, spoken_of, summary_of, surprises
from stages.reporting.tables.main_table import COST, MEASURES
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.measured import AVERAGE, averages, measured, shown, test_sets
from stages.reporting.tables.table import Table
from stages.reporting.tables.table_files import write_text

BEST = 10
HEADINGS = ("BLEU", "TER", "AER", "ROT", "dev perplexity", "parameters")
COLUMNS = [column for column in (*MEASURES, *COST) if column.heading in HEADINGS]

CONTENTS = f"""## What else there is

In git:

- [{outputs.TABLES}/]({outputs.TABLES}/README.md): every table, with notes on how its numbers came about;
  [those of the papers]({outputs.TABLES}/papers/papers.md) with these systems beside theirs
- [{outputs.FIGURES}/]({outputs.FIGURES}): every figure
- [{outputs.EXAMPLES}]({outputs.EXAMPLES}): sentences that show what the measures count
- [{outputs.METRICS}]({outputs.METRICS}): every number in full precision
- [{outputs.SUMMARY}]({outputs.SUMMARY}): the few numbers that `dvc metrics show` prints
- [{outputs.CURVES}]({outputs.CURVES}): dev BLEU and perplexity after each epoch
- `{outputs.BROWSER_PAGE}`, of studies on real text: tables, figures and sentences with their attention as one page, to
  open in a browser from a clone

Kept by DVC, here after `make repro` or `dvc pull`:

- `{outputs.VECTOR}/`: every figure for print; `{outputs.LATEX}/`: every table for LaTeX
- `{outputs.COMPARISONS}`: every test of significance
"""
ALL_CLAIMS = (
    f"[{outputs.TABLES}/claims.md]({outputs.TABLES}/claims.md) has all of them, with the systems that are compared and "
    "what the words mean."
)
SIZES = """
Made when the reports of both studies are there:
"""


def write_front_page(study: StudyResults, folder: Path) -> None:
    """To the `folder` of the report, whose figures must be there already."""
    write_text(folder / outputs.PAGE, "\n".join(_lines(study, folder)))


def _lines(study: StudyResults, folder: Path) -> Iterator[str]:
    asked, text = study.asked, study.text
    yield f"# Study {escape(asked.study)}\n"
    yield (
        f"{len(study.systems)} systems on corpus {escape(study.stats['corpus'])}, {text.source} → {text.target}, "
        f"{', '.join(f'seed {seed}' for seed in asked.seeds)}. {said(study.document['hours'])}\n"
    )
    if asked.caution:
        yield f"{asked.caution}\n"
    yield "## Which of the papers' claims hold\n"
    yield f"{escape(summary_of(study.judged))} {ALL_CLAIMS}\n"
    if judged := spoken_of(study.judged):
        yield markdown(claims_table(judged, study.looked))
        if texts := surprises(judged, study.looked):
            yield "".join(f"- {escape(text)}\n" for text in texts)
        yield from _figures(study, [CLAIMS], folder)
    yield "## The systems\n"
    yield (
        f"The baseline, {escape(asked.titles[asked.compare.baseline])}, and the {BEST} systems of the highest BLEU at "
        f"most. BLEU, TER and ROT: {escape(test_sets(study.document))}. "
        f"[{outputs.TABLES}/main.md]({outputs.TABLES}/main.md) has all systems, what the marks mean and how these "
        "numbers came about.\n"
    )
    yield markdown(_head(study))
    yield from _figures(study, [name for name in FRONT if name != CLAIMS], folder)
    yield CONTENTS + _sizes(study)


def _figures(study: StudyResults, names: Sequence[str], folder: Path) -> Iterator[str]:
    """Those that there are, with their captions."""
    texts = captions(study)
    for name in names:
        file = f"{outputs.FIGURES}/{name}.png"
        if (folder / file).exists():
            yield f"![{escape(texts[name].title)}]({file})\n"
            yield f"{escape(texts[name].text)}\n"


def _head(study: StudyResults) -> Table:
    """The baseline and the best systems, by their means over the test sets, as in the claims above."""
    of = measured(study.document)
    best = {study.asked.compare.baseline, *of.frame[f"{AVERAGE}bleu"].nlargest(BEST).index}
    table = shown(of, averages(of, COLUMNS)) or Table((), ())
    kept = [(name, row) for name, row in zip(table.names, table.rows, strict=True) if name in best]
    return table._replace(names=tuple(name for name, _ in kept), rows=tuple(row for _, row in kept))


def _sizes(study: StudyResults) -> str:
    """The tables of two training sizes, which a stage of their own makes."""
    names = [f"training_sizes/{name}/" for name in study.asked.training_sizes]
    if not names:
        return ""
    return "\n".join([SIZES, *(f"- `{name}`: quality beside that of the smaller study" for name in names), ""])
