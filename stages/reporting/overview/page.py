"""`reports/README.md`: which of the papers' claims hold, and what the systems come to, over all studies."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stages.reporting.claims.claims import all_claims, own_claims
from stages.reporting.claims.plans import read_plans
from stages.reporting.claims.summary import OF_OUR_OWN, by_origin, means_summary, summary, tally
from stages.reporting.claims.unmeasured import unmeasured, waits_for
from stages.reporting.claims.words import measure
from stages.reporting.hours import said
from stages.reporting.outputs import PAGE
from stages.reporting.overview.claims import GROUPS, Verdicts, claims_tables, counts_table, own_table
from stages.reporting.overview.contrasts import write_contrasts
from stages.reporting.overview.means import by_corpus, means, one_a_corpus
from stages.reporting.overview.study import Study, read_studies
from stages.reporting.overview.systems import systems_table
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.reporting.tables.table_files import write_text
from stages.text.counted import listed

ABOUT = """# Reports

All studies that have a report: the scores of their systems, and which of the papers' claims hold. Each study's page
says more. Written by `python -m stages.reporting.overview`.
"""
SYSTEMS = """Of studies with several seeds: mean ± standard deviation over them. BLEU, TER and ROT are means over the
test sets of a corpus, as in the claims below. Bold: the best of a study, without systems that were trained for longer,
without ensembles and without the links of SMT, which are its word aligner's.
"""
COUNTS = """How many claims of each paper a study judges: agrees / disagrees / undecided.
"""
VERDICTS = """A claim says that one system is better than another by some measure; the pair is a *contrast*. A study's
verdict rests on its difference and the 95 % interval of that, over other seeds and other test sentences:

- *agrees*: the interval lies on the side that the paper claims; *smaller than printed*: and the printed difference
  beyond it;
- *disagrees*: it lies on the other side;
- *undecided*: it holds 0; *printed gain excluded*: but not the printed difference; *no difference above m*: and the
  difference is small, whichever way;
- of a claim that two systems are equal, or that one is not behind: *agrees* if the interval of 90 % lies within ±m, or
  above −m; *disagrees* if all of the interval lies outside; *undecided* otherwise;
- †: no longer decided after correction for the number of claims (at a false discovery rate of 5 %).

[docs/claims.md](../docs/claims.md#what-a-verdict-means) has all of it.
"""
SHARED = """These have test sentences in common, and may have trainings in common: {studies}.
What they say of a claim is one finding. In means of corpora the study with the most seeds speaks for it,
of those with as many the one with the most systems.
"""
BOTH = """These have the same test sentences in two directions: {studies}.
They are not independent. In means of corpora the one with the most systems speaks for both.
"""
APART = """Claims are those of the papers here; [our own](#claims-of-our-own) are counted apart.
"""
OWN = """### Claims of our own

About controls and ideas that the papers have not compared. They are counted here alone.
"""
CLAIMS = """Below, a cell is the study's difference, its interval and its verdict.
"""
PICTURE = """![Gains that the papers print, and ours on every corpus]({picture})

*Systems for which a paper prints a gain in BLEU or (TER−BLEU)/2 over RNNencdec, RNNsearch, RNNsearch\\*, a continued
control or LVNMT: the paper's gain (diamond), and ours on every corpus with its 95 % interval.*
"""
WAITING = """### Claims that wait

No study above judges them. They wait for trainings of a study, or of a
[plan](../stages/reporting/claims/plans.yaml):
"""
UNMEASURED = """### Claims that are not measured

What the papers say beyond the claims above, and why nothing here measures it.
"""
MEAN = "mean of the corpora"
TOGETHER = """*{heading}*: the mean of the differences of all corpora that judge a claim, each with the same weight,
with its interval and Cochran's Q ([docs/claims.md](../docs/claims.md#several-corpora)). {said}
"""
OLD = "made before claims were judged: run it again"


def overview(studies: Sequence[Study], picture: str | None) -> str:
    """The page. picture: name of the file with the contrasts."""
    telling = [study for study in studies if study.verdicts]
    pages = " · ".join(f"[{study.name}]({study.name}/{PAGE})" for study in studies)
    parts = [ABOUT, "## Studies\n", markdown(_studies(studies)), f"Pages: {pages}\n"]
    parts += [APART] * any(by_origin(study.verdicts)[1] for study in studies)
    if not telling:
        return "\n".join([*parts, "No study has a verdict yet: that takes two seeds at least.\n"])
    together, spec = means(telling), len(all_claims())
    parts += ["## Systems\n", SYSTEMS]
    for study in telling:
        parts += [f"### {study.name}\n", markdown(systems_table([study]))]
    verdicts, own = _by_origin({study.name: study.answered for study in telling} | {MEAN: together})
    parts += ["## Claims\n", VERDICTS, COUNTS, markdown(counts_table(verdicts))]
    parts += [*(f"- {name}: {summary(told, spec)}" for name, told in verdicts.items() if name != MEAN), ""]
    parts += _sharing(telling)
    if MEAN in verdicts:
        parts.append(TOGETHER.format(heading=MEAN, said=means_summary(verdicts[MEAN])))
    if picture:
        parts.append(PICTURE.format(picture=picture))
    parts.append(CLAIMS)
    for paper, table in claims_tables(verdicts):
        parts += [f"### {escape(paper)}\n", markdown(table)]
    return "\n".join([*parts, *_own(own, telling), *_waiting(telling), *_unmeasured()])


def _by_origin(verdicts: Mapping[str, Verdicts]) -> tuple[dict[str, Verdicts], dict[str, Verdicts]]:
    """On the papers' claims and on our own, without studies that say nothing of them."""
    both = {name: by_origin(told) for name, told in verdicts.items()}
    return {name: of for name, (of, _) in both.items() if of}, {name: of for name, (_, of) in both.items() if of}


def _sharing(studies: Sequence[Study]) -> Iterator[str]:
    both = by_corpus(one_a_corpus(studies), directed=False)
    for text, together in ((SHARED, by_corpus(studies)), (BOTH, both)):
        if shared := [listed([study.name for study in one]) for one in together if len(one) > 1]:
            yield text.format(studies="; ".join(shared))


def _own(verdicts: Mapping[str, Verdicts], studies: Sequence[Study]) -> Iterator[str]:
    """What the studies say of our own claims, counted and one by one."""
    if not verdicts:
        return
    yield OWN
    asked = {study.name: len(own_claims(study.document["systems"])) for study in studies}
    yield from (
        f"- {name}: {summary(told, asked[name], OF_OUR_OWN)}" for name, told in verdicts.items() if name in asked
    )
    yield ""
    yield markdown(own_table(verdicts))


def _waiting(studies: Sequence[Study]) -> Iterator[str]:
    """The claims that no study has a verdict on, below the study that would."""
    says = {
        claim.id: f"{claim.claim.says} ({claim.paper}, {measure(claim)})" for claim in (*all_claims(), *own_claims())
    }
    judged = {claim for study in studies for claim in study.verdicts}
    waiting = {study: [one for one in claims if one not in judged] for study, claims in waits_for().items()}
    if any(waiting.values()):
        planned = read_plans()
        yield WAITING
        for study, claims in waiting.items():
            if claims:
                yield f"- {study}{' (plan)' if study in planned else ''}:"
                yield from (f"  - {escape(says[claim])}" for claim in claims)
        yield ""


def _unmeasured() -> Iterator[str]:
    papers = {claim.file: claim.paper for claim in all_claims()}
    yield UNMEASURED
    for one in unmeasured():
        yield f"- {escape(f'{one.says} ({papers[one.paper]}, {one.place}): {one.answer}.')}"
    yield ""


def write_overview(reports: Path) -> None:
    """To `reports/README.md`, and its figure. Raises InputError if a metrics.json is damaged."""
    studies = read_studies(reports)
    picture = write_contrasts(one_a_corpus([study for study in studies if study.verdicts]), reports)
    write_text(reports / PAGE, overview(studies, picture))


def _studies(studies: Sequence[Study]) -> Table:
    headings = (
        *("Study", "direction", "train pairs", "systems", "seeds", "claims", "contrasts"),
        *("agrees", "disagrees", "undecided", "not testable", "trainings"),
    )
    rows = []
    for study in studies:
        made = study.document["recipe"]
        cost = said(study.document["hours"]) if "hours" in study.document else OLD
        about = (made["direction"], f"{made['data']['sets']['train']['pairs']:,}", len(study.document["systems"]))
        cells = (*about, len(made["seeds"]), *_verdict_cells(study), cost)
        rows.append((study.name, tuple(Cell(str(cell)) for cell in cells)))
    return Table(headings, tuple(rows), words=frozenset({"direction", "trainings"}))


def _verdict_cells(study: Study) -> tuple[str, ...]:
    """Of the papers: claims, contrasts, agrees, disagrees, undecided, not testable."""
    if not study.answered:
        return (MISSING,) * 6
    of_papers, _ = by_origin(study.answered)
    found = tally(of_papers)
    numbers = (found.number, len(found.all_contrasts), *(len(found.of(*group)) for group in GROUPS))
    return tuple(map(str, (*numbers, len(of_papers) - found.number)))
