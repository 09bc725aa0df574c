"""Which differences that papers print have a size that another text can have too."""

from stages.reporting.claims.claims import PaperClaim

OF_THE_TEXT = ("perplexity", "repeated_phrases")
"""Their size is that of a test set or of its vocabulary, so that a paper's says nothing of another's."""


def comparable(claim: PaperClaim) -> float | None:
    """The paper's difference; None if it prints none, or by a measure that is `OF_THE_TEXT`.

    Whether ours can be as large is asked as Open Science Collaboration (2015, doi:10.1126/science.aac4716) asks whether
    the interval of a replication holds the original effect.
    """
    if claim.difference is None or claim.measure.removesuffix("_reverse").rpartition(".")[2] in OF_THE_TEXT:
        return None
    return float(claim.difference)
