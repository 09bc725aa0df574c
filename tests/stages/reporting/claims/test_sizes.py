"""Which printed differences another text can have too, and where they lie beside an interval."""

from decimal import Decimal

import pytest

from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.sizes import comparable, size


def claim(printed: str | None, measure: str = "tests.average.bleu", claimed: str = "higher") -> PaperClaim:
    ours = Compared(system="ba_nmt", against="rnnsearch_star")
    found = Claim(name="x", says="X", place="Table 1", claimed=claimed, measure=measure, ours=ours)
    return PaperClaim("xue-2019", "Xue", found, measure, None if printed is None else Decimal(printed))


@pytest.mark.parametrize("measure", ["dev.perplexity", "perplexity_reverse", "tests.average.repeated_phrases"])
def test_perplexities_and_counts_are_of_their_text(measure):
    assert comparable(claim("-0.58", measure)) is None


def test_what_is_not_printed_has_no_size():
    assert comparable(claim(None)) is None
    assert comparable(claim("1.41")) == 1.41


@pytest.mark.parametrize(
    ("printed", "claimed", "found"),
    [
        ("1.41", "higher", "larger"),
        ("1.00", "higher", "within"),
        ("0.10", "higher", "smaller"),
        ("-1.87", "lower", "within"),
        ("-2.01", "lower", "larger"),
    ],
)
def test_beyond_an_interval_or_within_it(printed, claimed, found):
    """Of a fall from 0.5 to 2.0 points -2.01 is larger, though the number is lower."""
    low, high = (0.25, 1.0) if claimed == "higher" else (-2.0, -0.5)
    assert size(claim(printed, claimed=claimed), low, high) == found


def test_an_interval_on_the_other_side_is_beyond_every_difference():
    assert size(claim("-2.90", claimed="lower"), 0.12, 0.96) == size(claim("1.10"), -0.96, -0.12) == "larger"
    assert size(claim(None), 0.0, 1.0) is None
