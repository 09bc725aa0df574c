"""What a difference with its interval says of a claim, and which printed differences another text can have too."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from stages.reporting.claims.claims import PaperClaim
from stages.statistics import deciding
from stages.statistics.crossed import Components
from stages.statistics.deciding import Found, Verdict, no_difference, power_of_no_difference

Size = Literal["larger", "within", "smaller"]

OF_THE_TEXT = ("perplexity", "repeated_phrases")
"""Their size is that of a test set or of its vocabulary, so that a paper's says nothing of another's."""


def comparable(claim: PaperClaim) -> float | None:
    """The paper's difference; None if it prints none, if it is said not to matter, or by a measure that is
    `OF_THE_TEXT`.

    Whether ours can be as large is asked as Open Science Collaboration (2015, doi:10.1126/science.aac4716) asks whether
    the interval of a replication holds the original effect.
    """
    if (
        claim.difference is None
        or claim.of_no_difference
        or claim.measure.removesuffix("_reverse").rpartition(".")[2] in OF_THE_TEXT
    ):
        return None
    return float(claim.difference)


def verdict(claim: PaperClaim, of: Found, margin: float) -> Verdict:
    """What the intervals say of the claim; margin: the largest difference that does not matter."""
    if claim.of_no_difference:
        return no_difference(of, margin, claim.claim.claimed == "not lower")
    return deciding.verdict(of, claim.sign, margin, comparable(claim))


def chance(claim: PaperClaim, margin: float) -> Callable[[Components], float]:
    """That another study decides the claim, if it is as this one found."""
    if claim.of_no_difference:
        return partial(power_of_no_difference, margin=margin, higher_too=claim.claim.claimed == "not lower")
    return deciding.power


def size(claim: PaperClaim, low: float, high: float, scale: float = 1.0) -> Size | None:
    """Of the paper's difference times `scale`, in the direction claimed, beside the interval from `low` to `high`; None
    if it is not `comparable`. One that is larger is excluded as a gain."""
    printed = comparable(claim)
    if printed is None:
        return None
    printed *= scale
    least, most = sorted((claim.sign * low, claim.sign * high))
    return "larger" if claim.sign * printed > most else "smaller" if claim.sign * printed < least else "within"
