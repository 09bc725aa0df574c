"""How many claims and contrasts have each verdict, counted and in sentences."""

from typing import Any

from stages.reporting.claims.contrasts import contrast
from stages.reporting.claims.summary import means_summary, summary
from stages.reporting.claims.tally import UNDECIDED, apart, tally


def one(verdict: str, p: float | None = 0.2, printed: str | None = None, **systems: int) -> dict[str, Any]:
    return {"verdict": verdict, "p_fdr": p, "printed_gain": printed, "systems": systems or {"a": 1, "b": -1}}


STUDY = {
    "1": one("agrees", 0.01, "possible"),
    "2": one("agrees, smaller than printed", 0.06, "excluded", a=1, c=-1),
    "3": one("disagrees", 0.04, "excluded", b=1, a=-1),
    "4": one("no difference above m", 0.9, "excluded", a=1, c=-1),
    "5": one("undecided, printed gain excluded", 0.3, "excluded", d=1, b=-1),
    "6": one("undecided", 0.3, "possible", d=1, b=-1),
    "7": one("not testable", None),
    "8": one("disagrees", 0.001, None, smt=1, a=-1),
}


def test_a_difference_and_its_opposite_are_one_contrast():
    assert contrast({"a": 1, "b": -1}) == contrast({"b": 1, "a": -1}) == contrast({"b": -1, "a": 1})
    assert contrast({"a": 1, "b": -1}) != contrast({"a": 1, "c": -1})
    assert contrast({"a": 1}) == (("a", 1),)


def test_claims_and_contrasts_are_counted():
    found = tally(STUDY)
    assert (found.number, len(found.all_contrasts)) == (7, 4)
    assert found.of(*UNDECIDED) == ["4", "5", "6"] and found.on(*UNDECIDED) == 2
    assert (found.stay("agrees", "agrees, smaller than printed"), found.stay("disagrees")) == (1, 2)
    assert list(found.printed.values()).count("possible") == 2
    together, rest = apart(STUDY)
    assert list(rest) == ["8"] and len(together) == 7


def test_in_sentences():
    assert summary(STUDY, 9) == (
        "Of 9 claims these data speak to 7 claims on 4 contrasts of systems. Of the 6 on 3 contrasts that concern "
        "neither SMT nor the Transformer they agree with 2 claims on 2 contrasts (1 by less than printed), disagree "
        "with 1 on 1 and leave 3 on 2 undecided, of which 1 have no difference that matters and 1 exclude the printed "
        "gain. At a false discovery rate of 5 %, 1 agreements and 1 disagreements stay decided. A gain as large as "
        "printed is possible for 2 of 6 claims with a figure, perplexities and counted phrases aside, and excluded for "
        "the others. SMT, which is tuned once, and the Transformer, which is smaller than the others, are counted "
        "apart: of their claims 0 agree, 1 disagree and 0 are undecided. 1 more cannot be tested here."
    )


def test_without_verdicts():
    assert summary({}, 9) == "These data speak to none of 9 claims."
    assert summary({"7": STUDY["7"]}, 9) == "These data speak to none of 9 claims."
    assert summary({"1": one("one seed")}, 3) == (
        "Of 3 claims these systems speak to 1, but a verdict takes two seeds at least."
    )


def test_the_means_of_corpora():
    found = means_summary({"1": one("agrees", None, "possible"), "2": one("corpora disagree", None)})
    assert found.startswith(
        "Of 2 claims that several corpora speak to, the corpora disagree on 1. The means of the other 1 agree with 1 "
        "claim on 1 contrast (0 by less than printed), disagree with 0"
    )
