"""The paper's difference beside an interval, turned by what is claimed."""

from decimal import Decimal

import pytest

from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.sizes import of_verdicts, said, size


def claim(printed: str | None, claimed: str = "higher", measure: str = "tests.average.bleu") -> PaperClaim:
    ours = Compared(system="ba_nmt", against="rnnsearch_star")
    found = Claim(name="x", says="X", place="Table 1", claimed=claimed, measure=measure, ours=ours)
    return PaperClaim("xue-2019", "Xue", found, measure, None if printed is None else Decimal(printed))


@pytest.mark.parametrize(
    ("printed", "claimed", "found"),
    [
        ("1.41", "higher", "larger"),
        ("1.00", "higher", "within"),
        ("0.41", "higher", "within"),
        ("0.10", "higher", "smaller"),
        ("-1.87", "lower", "within"),
        ("-2.01", "lower", "larger"),
    ],
)
def test_beyond_an_interval_or_within_it(printed, claimed, found):
    """Of a fall from 0.5 to 2.0 points -2.01 is larger, though the number is lower."""
    low, high = (0.25, 1.0) if claimed == "higher" else (-2.0, -0.5)
    assert size(claim(printed, claimed), low, high) == found


def test_an_interval_on_the_other_side_is_beyond_every_difference():
    assert size(claim("-2.90", "lower"), 0.12, 0.96) == size(claim("1.10"), -0.96, -0.12) == "larger"


@pytest.mark.parametrize("measure", ["dev.perplexity", "perplexity_reverse", "tests.average.repeated_phrases"])
def test_perplexities_and_counts_are_of_their_text(measure):
    assert size(claim("-0.58", "lower", measure), -7.0, -5.0) is None


def test_what_is_not_printed_has_no_size():
    assert size(claim(None), 0.0, 1.0) is None


def test_counts_those_that_have_a_verdict():
    verdicts = {"xue-2019/x": {"low": 0.0, "high": 1.0}}
    assert list(of_verdicts([claim("2"), claim("0.5"), claim(None)], verdicts)) == ["larger", "within", None]
    assert list(of_verdicts([claim("2")], {"xue-2019/y": {"low": 0.0, "high": 1.0}})) == []


def test_is_said_in_a_sentence():
    text = (
        "Of the 3 differences that the papers print, perplexities and counted phrases aside, our intervals are below "
        "2, hold 0 and are above 1."
    )
    assert said(["larger", None, "smaller", "larger"]) == text
    assert said([None]) == ""
