"""How many claims and contrasts have each verdict, counted and in sentences."""

from typing import Any

import pytest

from stages.reporting.claims.claims import TRANSFORMERS, all_claims, contrast, counted_apart
from stages.reporting.claims.summary import UNDECIDED, apart, means_summary, summary, tally
from tests.helpers import committed
from tests.helpers.real_studies import ON_REAL_TEXT

PARAMS = committed.params()


def one(verdict: str, p: float | None = 0.2, printed: str | None = None, **systems: int) -> dict[str, Any]:
    apart = "smt" in systems
    about = {"p_fdr": p, "printed_gain": printed, "systems": systems or {"a": 1, "b": -1}, "apart": apart}
    return {"verdict": verdict, **about}


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


@pytest.mark.parametrize(
    ("systems", "expected"),
    [
        (("smt", "rnnsearch_star"), True),
        (("smt", "transformer"), True),
        (("transformer", "rnnsearch_star"), True),
        (("transformer_aligned", "rnnsearch_star"), True),
        (("transformer_aligned", "transformer", "ba_nmt", "rnnsearch_star"), True),
        (("transformer_aligned", "transformer"), False),  # of one size
        (("ba_nmt", "rnnsearch_star"), False),
        (("feng_recatt", "rnnsearch_star"), True),
        (("cohn_agreement", "cohn_all"), False),  # it is two models that are trained together
    ],
)
def test_smt_reconstructions_and_a_transformer_beside_something_larger_are_counted_apart(systems, expected):
    sizes = {"transformer": 3.4, "transformer_aligned": 3.4, "rnnsearch_star": 8.5, "ba_nmt": 9.0}
    weights = dict.fromkeys(systems, 1)
    assert counted_apart(weights, sizes | {"cohn_all": 8.5, "cohn_agreement": 17.1}) == expected
    always = bool({"smt", "feng_recatt"} & set(systems))
    assert counted_apart(weights, dict.fromkeys(systems, 3.0)) == always, "of one size"


def test_all_transformers_on_real_text_are_known_to_be_some():
    """Those of generated text are in no claim."""
    trained = {name for study in ON_REAL_TEXT for name in PARAMS["studies"][study]["systems"]}
    of_fairseq = {name for name in trained if PARAMS["variants"][name]["arch"].startswith("transformer")}
    assert of_fairseq == set(TRANSFORMERS)


def test_in_sentences():
    assert summary(STUDY, 9) == (
        "This study judges 7 of 9 claims, about 4 contrasts of systems. 6 of them, about 3 contrasts, concern neither "
        "SMT, nor reconstructions, nor the Transformer beside much larger systems. Of these, 2 agree (2 contrasts), 1 "
        "of them by less than printed; 1 disagrees (1 contrast); 3 are undecided (2 contrasts). Of the undecided ones, "
        "1 has no difference that matters, and 2 exclude the printed gain. At a false discovery rate of 5 %, 1 "
        "agreement and 1 disagreement remain. 6 claims have a printed difference of comparable size: a gain as large "
        "as printed is possible for 2 and excluded for 4. SMT, which is tuned once, reconstructions, and the "
        "Transformer beside much larger systems are counted separately: 0 claims agree, 1 disagrees, 0 are undecided. "
        "1 more claim cannot be tested here."
    )


def test_a_claim_without_a_rate_stays_decided_and_is_told_apart():
    """Of no difference, or of not being behind: these have no p to correct."""
    found = {"1": one("agrees", 0.01), "2": one("agrees", None), "3": one("disagrees", None), "4": one("agrees", 0.3)}
    assert (tally(found).stay("agrees"), tally(found).stay("disagrees")) == (2, 1)
    assert (
        "At a false discovery rate of 5 %, 1 agreement and 0 disagreements remain; claims of no difference, which have "
        "no such rate, have 1 agreement and 1 disagreement more." in summary(found, 9)
    )


def test_claims_that_the_text_makes_are_counted():
    ids = ["xue-2019/ba", "xue-2019/coverage", "xue-2019/ba-repeats"]
    (text, table, reading) = (next(one for one in all_claims() if one.id == name) for name in ids)
    assert [one.claim.basis for one in (text, table, reading)] == [None, "table", "reading"]
    assert (text.place, table.place, reading.place) == (
        text.claim.place, f"{table.claim.place}, figures alone", f"{reading.claim.place}, our reading",
    )  # fmt: skip
    found = dict(zip(ids, (one("agrees", 0.01), one("disagrees", 0.01), one("undecided")), strict=True))
    assert "The papers' text makes 1 of the 3 claims (1 agrees, 0 disagree, 0 are undecided)" in summary(found, 9)
    assert "The papers' text" not in summary({"xue-2019/ba": one("agrees", 0.01)}, 9)


def test_without_verdicts():
    assert summary({}, 9) == "This study judges none of 9 claims."
    assert summary({"7": STUDY["7"]}, 9) == "This study judges none of 9 claims."
    assert summary({"1": one("one seed")}, 3) == (
        "This study has the systems of 1 of 3 claims, but a verdict takes two seeds."
    )


def test_the_means_of_corpora():
    found = means_summary({"1": one("agrees", None, "possible"), "2": one("corpora disagree", None)})
    assert found.startswith(
        "Several corpora judge 2 claims. On 1 of them the corpora disagree. The others have a mean: 1 claim. Of "
        "these, 1 agrees (1 contrast), 0 of them by less than printed; 0 disagree (0 contrasts); 0 are "
        "undecided (0 contrasts)."
    )
