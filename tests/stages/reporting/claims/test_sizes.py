"""Which printed differences another text can have too."""

from decimal import Decimal

import pytest

from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.sizes import comparable


def claim(printed: str | None, measure: str = "tests.average.bleu") -> PaperClaim:
    ours = Compared(system="ba_nmt", against="rnnsearch_star")
    found = Claim(name="x", says="X", place="Table 1", claimed="higher", measure=measure, ours=ours)
    return PaperClaim("xue-2019", "Xue", found, measure, None if printed is None else Decimal(printed))


@pytest.mark.parametrize("measure", ["dev.perplexity", "perplexity_reverse", "tests.average.repeated_phrases"])
def test_perplexities_and_counts_are_of_their_text(measure):
    assert comparable(claim("-0.58", measure)) is None


def test_what_is_not_printed_has_no_size():
    assert comparable(claim(None)) is None
    assert comparable(claim("1.41")) == 1.41
