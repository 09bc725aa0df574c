"""How large the differences are that papers print, beside the intervals that a study finds.

No verdict, for other text may have other sizes. But it says what "undecided" does not: whether the paper's difference,
were it the same here, would have shown (as Open Science Collaboration 2015, doi:10.1126/science.aac4716, ask whether
the interval of a replication holds the original effect).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from stages.reporting.claims.claims import PaperClaim

Size = Literal["larger", "within", "smaller"]

OF_THE_TEXT = ("perplexity", "repeated_phrases")
"""Their size is that of a test set or of its vocabulary, so that a paper's says nothing of another's."""


def size(claim: PaperClaim, low: float, high: float) -> Size | None:
    """Of the paper's difference, in the direction claimed, beside the interval from `low` to `high`.

    None if the paper prints none, or by a measure that is `OF_THE_TEXT`.
    """
    if claim.difference is None or claim.measure.removesuffix("_reverse").rpartition(".")[2] in OF_THE_TEXT:
        return None
    printed = claim.sign * claim.difference
    least, most = sorted((claim.sign * low, claim.sign * high))
    return "larger" if printed > most else "smaller" if printed < least else "within"


def of_verdicts(claims: Iterable[PaperClaim], verdicts: Mapping[str, Mapping[str, Any]]) -> Iterator[Size | None]:
    """Of those claims that have one. verdicts: by id, with `low` and `high`, as metrics.json has them."""
    for claim in claims:
        if found := verdicts.get(claim.id):
            yield size(claim, found["low"], found["high"])


def said(sizes: Iterable[Size | None]) -> str:
    """How many there are of each as a sentence, empty if there is none."""
    found = Counter(one for one in sizes if one)
    if not found:
        return ""
    return (
        f"Of the {found.total()} differences that the papers print, perplexities and counted phrases aside, our "
        f"intervals are below {found['larger']}, hold {found['within']} and are above {found['smaller']}."
    )
