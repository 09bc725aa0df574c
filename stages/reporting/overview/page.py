"""`reports/README.md`: which of the papers' claims hold, and what the systems come to, over all studies."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stages.reporting.claims import sizes
from stages.reporting.claims.claims import all_claims
from stages.reporting.claims.judge import VERDICTS
from stages.reporting.hours import said
from stages.reporting.outputs import PAGE
from stages.reporting.overview.claims import Verdicts, claims_tables, counts_table
from stages.reporting.overview.means import means
from stages.reporting.overview.study import Study, counted, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.reporting.tables.table_files import write_text

ABOUT = """# Reports

All studies that have a report: what their systems come to, and which of the papers' claims hold. Each study's page says
more. Written by `python -m stages.reporting.overview`.
"""
SYSTEMS = """Of studies with several seeds: mean ± standard deviation over them. BLEU, TER and ROT are means over the
test sets of a corpus, as in the claims below. Bold: the best of a study, without systems that were trained for longer
and without the links of SMT, which are its word aligner's.
"""
COUNTS = f"""Of the claims of each paper that a study speaks to: {" / ".join(VERDICTS)}.
"""
CLAIMS = """Below, a cell is the study's difference with its 95 % interval over seeds and test sentences together, and
what it says of the claim: agrees, disagrees or undecided (the interval holds 0). [docs/claims.md](../docs/claims.md)
says how it is found.
"""
MEAN = "mean of the corpora"
TOGETHER = """*{heading}*: of a claim that several corpora speak to, the mean of their differences, each with the same
weight, with its interval ([docs/claims.md](../docs/claims.md#several-corpora)). Of {all} such claims it agrees with
{agrees}, disagrees with {disagrees} and leaves {undecided} undecided.
"""
SIZES = """How large the papers' differences are beside these intervals
([docs/claims.md](../docs/claims.md#what-a-verdict-means)):
"""
OLD = "made before claims were judged: run it again"
OWN_SEEDS = """Intervals of {} are older, mostly wider: they know only the spread of the two compared systems' seeds
([docs/claims.md](../docs/claims.md#the-interval)).
"""


def overview(reports: Path) -> str:
    """The page. Raises InputError if a metrics.json is damaged."""
    studies = read_studies(reports)
    telling = [study for study in studies if study.verdicts]
    parts = [ABOUT, "## Studies\n", markdown(_studies(studies))]
    if not telling:
        return "\n".join([*parts, "No study has a verdict yet: that takes two seeds at least.\n"])
    together = means(telling)
    parts += ["## Systems\n", SYSTEMS]
    for study in telling:
        parts += [f"### {study.name}\n", markdown(systems_table([study]))]
    verdicts = {study.name: study.verdicts for study in telling} | ({MEAN: together} if together else {})
    parts += ["## Claims\n", COUNTS, markdown(counts_table(verdicts))]
    if together:
        parts.append(TOGETHER.format(heading=MEAN, all=len(together), **counted(together)))
    parts.append("\n".join([SIZES, *_sizes(verdicts), ""]))
    older = [study.name for study in telling if study.own_seeds]
    if older:
        parts.append(OWN_SEEDS.format(" and ".join(older)))
    parts.append(CLAIMS)
    for paper, table in claims_tables(verdicts):
        parts += [f"### {escape(paper)}\n", markdown(table)]
    return "\n".join(parts)


def write_overview(reports: Path) -> None:
    """To `reports/README.md`."""
    write_text(reports / PAGE, overview(reports))


def _studies(studies: Sequence[Study]) -> Table:
    headings = ("Study", "direction", "train pairs", "systems", "seeds", *VERDICTS, "trainings")
    rows = []
    for study in studies:
        made = study.document["recipe"]
        verdicts = [str(n) if study.verdicts else MISSING for n in counted(study.verdicts).values()]
        cost = said(study.document["hours"]) if "hours" in study.document else OLD
        about = (made["direction"], f"{made['data']['sets']['train']['pairs']:,}", len(study.document["systems"]))
        cells = (*about, len(made["seeds"]), *verdicts, cost)
        rows.append((study.name, tuple(Cell(str(cell)) for cell in cells)))
    return Table(headings, tuple(rows), words=frozenset({"direction", "trainings"}))


def _sizes(studies: Mapping[str, Verdicts]) -> Iterator[str]:
    """A line a study."""
    for name, verdicts in studies.items():
        if text := sizes.said(sizes.of_verdicts(all_claims(), verdicts)):
            yield f"- {name}: {text}"
