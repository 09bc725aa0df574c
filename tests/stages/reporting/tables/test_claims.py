"""How many of the papers' claims hold, in one sentence."""

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
    assert summary([Judged(all_claims()[0], verdict) for verdict in verdicts]) == sentence
