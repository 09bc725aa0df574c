"""What every study says of the claims: those of the papers counted paper by paper, and all of them one by one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from stages.reporting.claims.claims import PaperClaim, all_claims, own_claims
from stages.reporting.claims.judged import AGREES, DISAGREES
from stages.reporting.claims.summary import UNDECIDED, lasting, tally
from stages.reporting.claims.words import decimals, marked, measure, of_margin, paper_difference
from stages.reporting.tables.table import MISSING, Cell, Table, signed

Verdicts = Mapping[str, Mapping[str, Any]]
"""Of a study, or of the mean of the corpora: by the claim's id."""


GROUPS = (AGREES, DISAGREES, UNDECIDED)


def counts_table(studies: Mapping[str, Verdicts]) -> Table:
    """How many claims of each paper, of all, and of those that the papers' text makes, have each verdict: a row each, a
    column a study."""
    rows = []
    every = _told(all_claims(), studies)
    of_text = [claim for claim in every if claim.claim.basis is None]
    for paper, claims in (*_by_paper(studies), ("All", every), ("of these, made by the papers' text", of_text)):
        of = [{claim.id: told[claim.id] for claim in claims if claim.id in told} for told in studies.values()]
        rows.append((paper, tuple(Cell(_verdict_text(told)) for told in of)))
    return Table(("Paper", *studies), tuple(rows))


def claims_tables(studies: Mapping[str, Verdicts]) -> Iterator[tuple[str, Table]]:
    """Of each paper: a row for each claim that any study has a verdict on, a column a study."""
    for paper, claims in _by_paper(studies):
        about = ((claim.place, measure(claim), paper_difference(claim)) for claim in claims)
        yield paper, _table(claims, ("where", "measure", "Δ paper"), about, studies)


def own_table(studies: Mapping[str, Verdicts]) -> Table:
    """The same of our own claims, of which no paper prints a difference."""
    claims = _told(own_claims(), studies)
    return _table(claims, ("from", "measure"), ((claim.claim.place, measure(claim)) for claim in claims), studies)


def _table(
    claims: Sequence[PaperClaim],
    headings: Sequence[str],
    about: Iterable[Sequence[str]],
    studies: Mapping[str, Verdicts],
) -> Table:
    """headings, about: what stands before the verdicts, of each claim."""
    rows = []
    for claim, before in zip(claims, about, strict=True):
        found = (_verdict(told.get(claim.id)) for told in studies.values())
        rows.append((claim.claim.says, tuple(Cell(text) for text in (*before, *found))))
    return Table(("Claim", *headings, *studies), tuple(rows), words=frozenset({"where", "from", "measure"}))


def _by_paper(studies: Mapping[str, Verdicts]) -> Iterator[tuple[str, list[PaperClaim]]]:
    for paper, claims in groupby(_told(all_claims(), studies), key=lambda claim: claim.paper):
        yield paper, list(claims)


def _told(claims: Sequence[PaperClaim], studies: Mapping[str, Verdicts]) -> list[PaperClaim]:
    return [claim for claim in claims if any(claim.id in told for told in studies.values())]


def _verdict_text(told: Verdicts) -> str:
    if not told:
        return MISSING
    found = tally(told)
    return " / ".join(str(len(found.of(*group))) for group in GROUPS)


def _verdict(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return MISSING
    if found["low"] is None:
        return found["verdict"]
    said = of_margin(found["verdict"], found["margin"]) + marked(found["systems"])
    apart = "" if "q" not in found else f", Q {found['q']:.1f}"
    said += "" if lasting(found) else " †"
    difference, low, high = (signed(found[key], decimals(found["margin"])) for key in ("difference", "low", "high"))
    return f"{difference} ({low} to {high}) {said}{apart}"
