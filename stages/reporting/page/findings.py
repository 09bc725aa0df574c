"""What the page begins with: how many of the papers' claims hold."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from stages.reporting.claims.judged import VERDICTS, Judged
from stages.reporting.tables.claims import spoken_of, summary_of


def findings(judged: Sequence[Judged], caution: str = "") -> dict[str, Any]:
    """{"text", "headings", "rows"}: a sentence or two and, of each paper and of all, how many claims have each verdict.

    No rows where no claim has a verdict. caution: a sentence to begin with, or nothing.
    """
    counts: dict[str, Counter[str]] = {}
    for one in spoken_of(judged):
        for paper in (one.claim.paper, "All"):
            counts.setdefault(paper, Counter())[one.verdict] += 1
    all_of_them = counts.pop("All", None)
    rows = [*counts.items(), *([("All", all_of_them)] if len(counts) > 1 else [])]
    return {
        "text": f"{caution} {summary_of(judged)}".lstrip(),
        "headings": ["Claims of", *VERDICTS],
        "rows": [[paper, *(str(of[verdict]) for verdict in VERDICTS)] for paper, of in rows],
    }
