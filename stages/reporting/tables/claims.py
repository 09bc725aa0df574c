"""Which of the papers' claims hold: each with the paper's difference, the study's with its interval, and a verdict."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from stages.reporting.claims import sizes, words
from stages.reporting.claims.claims import load_notes
from stages.reporting.claims.judge import VERDICTS, Judged, record
from stages.reporting.claims.looked_into import of_claim
from stages.reporting.papers.paper_tables import NAMES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import test_sets
from stages.reporting.tables.report_table import ReportTable
from stages.reporting.tables.table import Cell, Table

HEADINGS = ("Claim", "where", "measure", "Δ paper", "Δ ours", "95 % interval", "verdict", "what would decide")
SYSTEMS = "ours"
LOOKED = "looked into"
TEXT = frozenset({"where", "measure", "verdict", "what would decide", SYSTEMS})

NOTES = (
    "Δ paper: from the numbers that the paper prints, on its data; a dash where it gives no figure",
    "Δ ours: difference of the means over the seeds",
    "95 % interval: over seeds and test sentences together (crossed random effects by the jackknife, the spread of the "
    "seeds learnt from all systems of the study, see docs/claims.md); it is about other trainings and other sentences "
    "of the same kind",
    "agrees: the interval lies on the side that the paper claims; disagrees: on the other; undecided: it holds 0",
    "larger, within, smaller: where the paper's difference lies beside the interval, perplexities and counted phrases "
    "aside; it is no verdict, for other data may have other sizes",
    "what would decide: so many seeds, or so many sentences, if difference and spread stay as they are",
    "looked into: something was tried with that system, not always by this measure; it stands below",
    "one seed: no verdict, for one training says nothing of another",
    "a system that was trained for longer than another is compared with a control that was too, or by its gain over it",
    "no correction for the number of claims: of 40 without any truth in them about one gets a verdict of agreement by "
    "chance, and one of disagreement",
)


def claims(study: StudyResults) -> ReportTable:
    """A part a paper, with the claims that the study cannot speak to; the CSV file has every number."""
    by_paper = {file: [one for one in study.judged if one.claim.file == file] for file in NAMES}
    papers = {found[0].claim.paper: found for found in by_paper.values() if found}
    notes = [f"{found[0].claim.paper}: {note}" for found in papers.values() for note in load_notes(found[0].claim.file)]
    notes += surprises(study.judged, study.looked)
    return ReportTable(
        name="claims",
        title="Claims of the papers",
        about=f"Which of the papers' claims hold here. {summary(study.judged)}",
        mirrors="what the papers conclude from their tables",
        parts={paper: claims_table(found, study.looked, with_systems=True) for paper, found in papers.items()},
        notes=(
            f"BLEU of any kind, TER, ROT and repeated phrases: {test_sets(study.document)}",
            *NOTES,
            *(note.removesuffix(".") for note in notes),
        ),
        records=pd.DataFrame([{"claim": one.claim.id, **_flat(one)} for one in study.judged]),
    )


def spoken_of(judged: Sequence[Judged]) -> list[Judged]:
    """The claims that have a verdict."""
    return [one for one in judged if one.verdict in VERDICTS]


def summary(judged: Sequence[Judged]) -> str:
    """How many of each verdict, and of each size of the paper's difference, as a sentence or two."""
    counted = Counter(one.verdict for one in judged)
    with_verdict = sum(counted[verdict] for verdict in VERDICTS)
    if counted["one seed"]:
        return (
            f"Of {len(judged)} claims these systems speak to {counted['one seed']}, but a verdict takes two seeds at "
            "least."
        )
    if not with_verdict:
        return f"These data speak to none of {len(judged)} claims."
    verdicts = (
        f"Of {len(judged)} claims these data speak to {with_verdict}: they agree with {counted['agrees']}, disagree "
        f"with {counted['disagrees']} and leave {counted['undecided']} undecided."
    )
    of_papers = sizes.said(sizes.size(one.claim, one.low, one.high) for one in spoken_of(judged))
    return f"{verdicts} {of_papers}".rstrip()


def claims_table(judged: Sequence[Judged], looked: Mapping[str, str], with_systems: bool = False) -> Table:
    """A row a claim. looked: see `looked_into`."""
    headings = (*HEADINGS, SYSTEMS) if with_systems else HEADINGS
    rows = []
    for one in judged:
        cells = [
            Cell(f"{one.claim.paper}, {one.claim.claim.place}"),
            Cell(words.measure(one.claim)),
            Cell(words.paper_difference(one.claim)),
            Cell(words.difference(one), number=one.difference),
            Cell(words.bounds(one)),
            Cell(f"{one.verdict} ({LOOKED})" if of_claim(one, looked) else one.verdict),
            Cell(words.decided_by(one)),
        ]
        rows.append((one.claim.claim.says, (*cells, *([Cell(words.systems(one.claim))] if with_systems else []))))
    return Table(headings, tuple(rows), words=TEXT)


def surprises(judged: Sequence[Judged], looked: Mapping[str, str]) -> list[str]:
    """What was tried and found with the systems of these claims, each as a sentence or more."""
    systems = dict.fromkeys(name for one in judged for name in of_claim(one, looked))
    return [f"{LOOKED}: {name}: {looked[name]}" for name in systems]


def _flat(judged: Judged) -> dict[str, object]:
    return record(judged) | {"systems": words.systems(judged.claim)}
