"""Which claims hold: each with the paper's difference, the study's with its interval, and a verdict."""

from collections.abc import Mapping, Sequence

import pandas as pd

from stages.reporting.claims import words
from stages.reporting.claims.claims import OWN, is_own, load_notes
from stages.reporting.claims.judged import VERDICTS, Judged, record
from stages.reporting.claims.looked_into import of_claim
from stages.reporting.claims.summary import OF_OUR_OWN, by_origin, summary
from stages.reporting.papers.paper_tables import NAMES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.measured import test_sets
from stages.reporting.tables.table import MISSING, Cell, ReportTable, Table, chance
from stages.statistics.deciding import MOST_SEEDS

HEADINGS = (
    *("Claim", "where", "measure", "Δ paper", "Δ ours", "95 % interval", "to 0", "p (FDR)", "as large as printed"),
    *("verdict", "what would decide", "ours"),
)
LOOKED = "looked into"
TEXT = frozenset({"where", "measure", "as large as printed", "verdict", "what would decide", "ours"})

CHANCES = frozenset({"p (FDR)"})

NOTES = (
    "Δ paper: from the numbers that the paper prints, on its data; a dash where it gives no figure",
    "Δ ours: difference of the means over the seeds",
    "95 % interval: over seeds and test sentences together (crossed random effects by the jackknife, the spread of the "
    "seeds learnt from all systems of the study, see docs/claims.md); it is about other trainings and other sentences "
    "of the same kind",
    "to 0: how far 0 is from the nearer limit of the interval; a verdict can change with a small number there",
    "p (FDR): of no difference, by Benjamini and Hochberg over all claims of the study, those on SMT, on "
    "reconstructions, and on the Transformer beside systems of more than twice its parameters, apart; of the claims at "
    "most at .05 one in twenty is decided by chance",
    "as large as printed: whether the interval reaches as far as the paper's difference, perplexities and counted "
    "phrases aside; other data may have other sizes",
    "agrees: the interval lies on the side that the paper claims; smaller than printed: and does not reach as far; "
    "disagrees: it lies on the other side",
    "no difference above a number: the interval holds 0 and that of 90 % lies within ± this number, which is that of "
    "the measure in stages/reporting/claims/margins.yaml (two one-sided tests of .05)",
    "a claim that one is as good as another, or no worse, agrees if the interval of 90 % lies within ± that number, or "
    "above minus it, and disagrees if all of the 95 % interval lies outside",
    "undecided: the interval holds 0; printed gain excluded: and does not reach as far as the paper's difference",
    "not testable: the systems are there, but these data cannot say it, for the reason in the last column",
    f"what would decide: so many seeds of these systems, {MOST_SEEDS} at most, or so many sentences, with a chance of "
    "80 % if difference and spread are what they are here; whoever adds seeds until a claim is decided is wrong more "
    "often than the verdict says, so new seeds are planned before they are trained "
    "(stages/reporting/claims/plans.yaml); a planned verdict rests on the seeds before the plan too, and whoever takes "
    "it only where the first was undecided is wrong in up to 12 % of contrasts without a difference, not in 5 %",
    "planned: the verdict rests on seeds that were planned so",
    "reconstruction: the equations of a system are our guesses, so the verdict is none on the paper's",
    "looked into: something was tried with that system, not always by this measure; looked_into.md says what",
    "one seed: no verdict, for one training says nothing of another",
    "a system that was trained for longer than another is compared with a control that was too, or by its gain over it",
)


def claims(study: StudyResults) -> ReportTable:
    """A part a paper, and one of our own, with the claims on the study's systems; the CSV file has all claims and every
    number."""
    there = [one for one in study.judged if study.spec.titles.keys() >= one.claim.claim.ours.weights.keys()]
    by_paper = {file: [one for one in there if one.claim.file == file] for file in (*NAMES, OWN)}
    papers = {found[0].claim.paper: found for found in by_paper.values() if found}
    others = len(study.judged) - len(there)
    left_out = [f"{others} claims on systems that this study lacks stand in claims.csv alone."] if others else []
    notes = [f"{found[0].claim.paper}: {note}" for found in papers.values() for note in load_notes(found[0].claim.file)]
    own = any(is_own(one.claim.id) for one in there)
    return ReportTable(
        name="claims",
        title=f"Claims of the papers{', and our own' if own else ''}",
        about=" ".join(
            [
                f"Which of the papers' claims{' and of our own' if own else ''} hold here.",
                summary_of(study.judged),
                *left_out,
            ]
        ),
        mirrors="what the papers conclude from their tables",
        parts={paper: claims_table(found, study.looked) for paper, found in papers.items()},
        notes=(
            f"BLEU of any kind, TER, ROT and repeated phrases: {test_sets(study.document)}",
            *NOTES,
            *(note.removesuffix(".") for note in notes),
        ),
        records=pd.DataFrame(
            [{"claim": one.claim.id, **record(one), "systems": words.systems(one.claim)} for one in study.judged]
        ),
    )


def spoken_of(judged: Sequence[Judged]) -> list[Judged]:
    """The claims that have a verdict."""
    return [one for one in judged if one.verdict in VERDICTS]


def summary_of(judged: Sequence[Judged]) -> str:
    """How many claims and contrasts have each verdict, in a few sentences; those of the papers and our own apart."""
    of_papers, own = by_origin({one.claim.id: record(one) for one in judged if one.verdict != "not compared"})
    asked = sum(is_own(one.claim.id) for one in judged)
    if not asked:
        return summary(of_papers, len(judged))
    told = summary(of_papers, len(judged) - asked, "claims of the papers")
    return f"{told} {summary(own, asked, OF_OUR_OWN)}"


def claims_table(judged: Sequence[Judged], looked: Mapping[str, str]) -> Table:
    """A row a claim. looked: see `looked_into`."""
    rows = []
    for one in judged:
        cells = [
            Cell(f"{one.claim.paper}, {one.claim.place}"),
            Cell(words.measure(one.claim)),
            Cell(words.paper_difference(one.claim)),
            Cell(words.difference(one), number=one.difference),
            Cell(words.bounds(one)),
            Cell(MISSING if one.to_zero is None else f"{one.to_zero:.{words.decimals(one.margin)}f}"),
            Cell(chance(one.p_fdr, 3)),
            Cell(one.printed_gain or MISSING),
            Cell(f"{words.verdict(one)} ({LOOKED})" if of_claim(one, looked) else words.verdict(one)),
            Cell(words.decided_by(one)),
            Cell(words.systems(one.claim)),
        ]
        rows.append((one.claim.claim.says, tuple(cells)))
    return Table(HEADINGS, tuple(rows), words=TEXT, lower=CHANCES)
