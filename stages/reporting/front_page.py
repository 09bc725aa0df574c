"""`README.md` of a report: ten systems, one attention map, three findings, chosen by rules which it states, and where
everything else is."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from stages.reporting import outputs
from stages.reporting.claims import words
from stages.reporting.claims.claims import Contrast, contrast, is_own
from stages.reporting.claims.judged import AGREES, DISAGREES, Judged
from stages.reporting.claims.summary import LEVEL
from stages.reporting.figures.all_figures import FRONT, captions
from stages.reporting.figures.families import Family, families_of
from stages.reporting.hours import said
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.all_tables import LOOKED_INTO, tried
from stages.reporting.tables.claims import summary_of
from stages.reporting.tables.columns import AVERAGE
from stages.reporting.tables.main_table import COST, FIRST
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.measured import averages, measured, shown, test_sets
from stages.reporting.tables.table import Table
from stages.reporting.tables.table_files import write_text
from stages.text.counted import counted

SYSTEMS, FINDINGS = 10, 3
SYSTEM_RULE = (
    f"The baseline and the best system of each other family by BLEU, at most {SYSTEMS}. Free rows go to the next "
    "best systems."
)
FINDING_RULE = (
    "They are chosen by a rule, from the claims about the difference of two systems that are decided at a false "
    f"discovery rate of {100 * LEVEL:.0f} %, without those on SMT, reconstructions, or the Transformer beside much "
    "larger systems. Claims whose printed difference has a comparable size come first. Then come the largest, in "
    "multiples of the largest difference that does not matter (m). No two findings share their measure, and no two "
    "their pair of systems while there are other pairs."
)


def front_systems(bleu: pd.Series, families: Mapping[str, Family], baseline: str) -> list[str]:
    """At most `SYSTEMS` systems, in the order of `bleu`, by `SYSTEM_RULE`.

    bleu: of every system, missing ones left out. families: a system that has none is a family of its own.
    """
    ranked = [baseline] * (baseline in bleu.index)
    ranked += [name for name in bleu.sort_values(ascending=False, kind="stable").index if name != baseline]
    first: dict[Family | str, str] = {}
    for name in ranked:
        first.setdefault(families.get(name, name), name)
    leading = list(first.values())
    chosen = {*[*leading, *(name for name in ranked if name not in leading)][:SYSTEMS]}
    return [name for name in bleu.index if name in chosen]


def front_findings(judged: Sequence[Judged]) -> list[Judged]:
    """At most `FINDINGS` claims, by `FINDING_RULE`."""
    found: list[Judged] = []
    ranked = sorted(filter(_decided, judged), key=lambda one: (one.printed_gain is None, -_size(one)))
    for new_pairs in (True, False):
        for one in ranked:
            again = new_pairs and any(_pair(one) == _pair(other) for other in found)
            if not again and all(one.claim.measure != other.claim.measure for other in found):
                found.append(one)
    return found[:FINDINGS]


def _decided(one: Judged) -> bool:
    decided = one.verdict in (*AGREES, *DISAGREES) and one.p_fdr is not None and one.p_fdr <= LEVEL
    return decided and len(one.claim.claim.ours.weights) == 2 and not one.apart


def _pair(one: Judged) -> Contrast:
    return contrast(one.claim.claim.ours.weights)


def _size(one: Judged) -> float:
    assert one.difference is not None and one.margin is not None  # every decided claim has both
    return abs(one.difference) / one.margin


COLUMNS = (*FIRST, COST[0])

CONTENTS = f"""## What else there is

In git:

- [{outputs.TABLES}/]({outputs.TABLES}/README.md): every table, with notes on how its numbers came about;
  [those of the papers]({outputs.TABLES}/papers/papers.md) with these systems beside theirs
- [{outputs.FIGURES}/]({outputs.FIGURES}): every figure
- [{outputs.TABLES}/formulas.md]({outputs.TABLES}/formulas.md): each system's formula and paper;
  [docs/variants.md](../../docs/variants.md): what all of them are made of, and what their code was written from
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
SIZES = """
Made when the reports of both studies are there:
"""


def write_front_page(study: StudyResults, folder: Path) -> None:
    """To the `folder` of the report, whose figures must be there already."""
    write_text(folder / outputs.PAGE, "\n".join(_lines(study, folder)))


def _lines(study: StudyResults, folder: Path) -> Iterator[str]:
    spec, text = study.spec, study.text
    yield f"# Study {escape(spec.study)}\n"
    yield (
        f"{counted(len(study.systems), 'system')} on corpus {escape(study.stats['corpus'])}, "
        f"{text.source} → {text.target}, {', '.join(f'seed {seed}' for seed in spec.seeds)}. "
        f"{said(study.document['hours'])}\n"
    )
    if spec.caution:
        yield f"{spec.caution}\n"
    table = _systems(study)
    yield "## Systems\n"
    if len(table.rows) < len(study.systems):
        yield f"{SYSTEM_RULE}\n"
    yield markdown(table)
    yield (
        f"BLEU, TER and ROT: {escape(test_sets(study.document))}. Bold: the best of its column, among the systems that "
        f"were not trained for longer. [{outputs.TABLES}/main.md]({outputs.TABLES}/main.md) has all systems, says how "
        "these numbers came about, and by which test a value with ‡ is better than the baseline's and one with ⋆ than "
        "every rival's.\n"
    )
    yield from _attention(study, folder)
    yield from _findings(study)
    yield from _figures(study, folder)
    yield CONTENTS + _sizes(study)


def _systems(study: StudyResults) -> Table:
    """The chosen ones, with their means over the test sets."""
    of = measured(study.document)
    families, bleu = families_of(study.spec.models), of.frame[f"{AVERAGE}bleu"].dropna()
    chosen = front_systems(bleu, families, study.spec.compare.baseline)
    table = shown(of, averages(of, COLUMNS)) or Table((), ())
    kept = [(name, row) for name, row in zip(table.names, table.rows, strict=True) if name in chosen]
    return table._replace(names=tuple(name for name, _ in kept), rows=tuple(row for _, row in kept))


def _attention(study: StudyResults, folder: Path) -> Iterator[str]:
    """The map that the page shows, with its caption."""
    if shown_map := _map(folder):
        caption = captions(study)[shown_map]
        yield f"![{escape(caption.title)}]({_file(shown_map)})\n"
        yield f"{escape(caption.text)}\n"


def _map(folder: Path) -> str | None:
    """The first of the maps in `FRONT` that there is."""
    return next((name for name in FRONT if (folder / _file(name)).exists()), None)


def _file(figure: str) -> str:
    return f"{outputs.FIGURES}/{figure}.png"


def _findings(study: StudyResults) -> Iterator[str]:
    yield "## Findings\n"
    if chosen := front_findings(study.judged):
        own = " or one of our own, beyond the papers," if any(is_own(one.claim.id) for one in chosen) else ""
        yield (
            f"Each is a claim of a paper{own} and what this study says of it: the verdict, our difference, its 95 % "
            "interval in parentheses, and in brackets the paper's difference where it prints one.\n"
        )
        yield "".join(f"{k}. {escape(_finding(one))}\n" for k, one in enumerate(chosen, start=1))
        yield f"{FINDING_RULE}\n"
    yield f"{escape(summary_of(study.judged))}\n"
    links = [f"[Every claim]({outputs.TABLES}/claims.md) with its verdict, and what the verdicts mean"]
    if tried(study):
        links.append(f"[what was tried where a result surprised]({outputs.TABLES}/{LOOKED_INTO})")
    yield f"{'; '.join(links)}.\n"


def _finding(one: Judged) -> str:
    claim, printed = one.claim, words.paper_difference(one.claim)
    ours = f"{words.measure(claim)} {words.difference(one)} ({words.bounds(one)})"
    paper = "" if claim.difference is None else f" [{printed}]"
    return f"{claim.claim.says} ({claim.paper}, {claim.place}): {words.verdict(one)}. {ours}{paper}"


def _figures(study: StudyResults, folder: Path) -> Iterator[str]:
    """Links to those that there are, but for the map that is shown above."""
    there = {name: of for name, of in captions(study).items() if (folder / _file(name)).exists()}
    links = [f"[{escape(of.title)}]({_file(name)})" for name, of in there.items() if name != _map(folder)]
    if links:
        yield f"Figures: {' · '.join(links)}.\n"


def _sizes(study: StudyResults) -> str:
    """The tables of two training sizes, which a stage of their own makes."""
    names = [f"training_sizes/{name}/" for name in study.spec.training_sizes]
    if not names:
        return ""
    return "\n".join([SIZES, *(f"- `{name}`: quality beside that of the smaller study" for name in names), ""])
