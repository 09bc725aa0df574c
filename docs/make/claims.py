"""The table of the papers' claims."""

from docs.make.tables import markdown
from stages.reporting.claims import words
from stages.reporting.claims.claims import PaperClaim, all_claims
from stages.reporting.claims.counts import CONFUSION, REVERSE
from stages.reporting.tables.markdown import escape
from stages.scoring.catalogue import MEASURES


def claims() -> str:
    """Every claim with what the paper prints and what a study needs for it beside the systems."""
    rows = (
        [
            escape(claim.paper),
            escape(claim.claim.place),
            escape(claim.claim.says),
            f"`{words.systems(claim)}`",
            escape(words.measure(claim)),
            words.paper_difference(claim),
            needs(claim) or "–",
        ]
        for claim in all_claims()
    )
    return markdown(["paper", "where", "claim", "ours", "measure", "Δ paper", "needs"], rows)


def needs(claim: PaperClaim) -> str:
    if claim.measure == REVERSE:
        return "reverse direction"
    if claim.measure.startswith((CONFUSION, "tests.average.rot_")):
        return "parts of speech"
    found = MEASURES.get(claim.measure)
    return "gold alignments" if found and found.sets == "gold" else ""
