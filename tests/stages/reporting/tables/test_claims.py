"""How many of the papers' claims hold, in a sentence or two."""

import pytest

from stages.reporting.claims.claims import all_claims
from stages.reporting.claims.judge import Judged
from stages.reporting.tables.claims import summary


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (
            ["agrees", "undecided", "agrees", "disagrees", "not compared"],
            "Of 5 claims these data speak to 4: they agree with 2, disagree with 1 and leave 1 undecided.",
        ),
        (
            ["one seed", "not compared", "one seed"],
            "Of 3 claims these systems speak to 2, but a verdict takes two seeds at least.",
        ),
        (["not compared"], "These data speak to none of 1 claims."),
    ],
)
def test_the_verdicts_are_counted(verdicts, sentence):
    printed_none = next(claim for claim in all_claims() if claim.difference is None)
    assert summary([Judged(printed_none, verdict) for verdict in verdicts]) == sentence


def test_the_sizes_of_the_papers_differences_are_counted():
    (claim,) = [claim for claim in all_claims() if claim.id == "xue-2019/ba"]  # +1.41
    judged = [Judged(claim, "agrees", 1.0, 0.5, 1.5), Judged(claim, "undecided", 0.5, -0.5, 1.25)]
    assert summary([*judged, Judged(claim, "not compared")]) == (
        "Of 3 claims these data speak to 2: they agree with 1, disagree with 0 and leave 1 undecided. Of the 2 "
        "differences that the papers print, perplexities and counted phrases aside, our intervals are below 1, hold "
        "1 and are above 0."
    )
