"""What the page begins with: how many of the papers' claims hold."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from stages.reporting.claims.judged import AGREES, DISAGREES, Judged
from stages.reporting.tables.claims import spoken_of, summary_of

SIDES = ("agrees", "undecided", "disagrees")


def findings(judged: Sequence[Judged], caution: str = "") -> dict[str, Any]:
    """{"text", "headings", "rows"}: a few sentences and, of each paper and of all, how many claims are on each side.

    No rows where no claim has a verdict. caution: a sentence to begin with, or nothing.
    """
    counts: dict[str, Counter[str]] = {}
    for one in spoken_of(judged):
        for paper in (one.claim.paper, "All"):
            counts.setdefault(paper, Counter())[_side(one)] += 1
    all_of_them = counts.pop("All", Counter())
    rows = [*counts.items(), *([("All", all_of_them)] if len(counts) > 1 else [])]
    return {
        "text": f"{caution} {summary_of(judged)}".lstrip(),
        "headings": ["Claims of", *SIDES],
        "rows": [[paper, *(str(of[side]) for side in SIDES)] for paper, of in rows],
    }


def _side(one: Judged) -> str:
    """Of what comes close to 0 or to the printed gain, too, the text says more."""
    if one.verdict in AGREES:
        return "agrees"
    return "disagrees" if one.verdict in DISAGREES else "undecided"
