"""The rules by which a report begins with some systems and findings."""

import pandas as pd
import pytest

from stages.reporting.claims.judged import Judged
from stages.reporting.figures.families import families_of
from stages.reporting.front_page import SYSTEMS, front_findings, front_systems
from stages.settings.variants import VariantModel
from tests.helpers.paper_claims import CLAIMS

FAMILIES = families_of(
    {name: VariantModel(arch=name) for name in ("rnnsearch_star", "sa_nmt", "ta_nmt", "ba_nmt", "gatt")}
)


def chosen(baseline: str = "rnnsearch_star", **bleu: float) -> list[str]:
    return front_systems(pd.Series(bleu), FAMILIES, baseline)


def test_the_baseline_the_best_of_each_family_and_then_the_best_in_their_own_order(monkeypatch):
    monkeypatch.setattr("stages.reporting.front_page.SYSTEMS", 4)
    bleu = {"gatt": 1.0, "sa_nmt": 8.0, "ba_nmt": 9.0, "ta_nmt": 7.0, "rnnsearch_star": 2.0}
    assert chosen(**bleu) == ["gatt", "sa_nmt", "ba_nmt", "rnnsearch_star"]
    monkeypatch.setattr("stages.reporting.front_page.SYSTEMS", 2)
    assert chosen(**bleu) == ["ba_nmt", "rnnsearch_star"]


def test_a_small_study_has_all_of_its_systems_and_needs_no_baseline():
    assert chosen(sa_nmt=1.0, ta_nmt=2.0) == ["sa_nmt", "ta_nmt"]


def test_a_system_without_family_is_one_of_its_own(monkeypatch):
    monkeypatch.setattr("stages.reporting.front_page.SYSTEMS", 3)
    assert chosen(rnnsearch_star=3.0, ba_nmt=2.0, sa_nmt=1.9, unknown=0.1) == ["rnnsearch_star", "ba_nmt", "unknown"]


def judged(claim: str, difference: float = 1.0, verdict="agrees", p_fdr=0.01, printed="possible", margin=0.5) -> Judged:
    apart = "smt" in CLAIMS[claim].claim.ours.weights
    return Judged(CLAIMS[claim], verdict, difference, p_fdr=p_fdr, margin=margin, printed_gain=printed, apart=apart)


def of(*found: Judged) -> list[str]:
    return [one.claim.id for one in front_findings(found)]


def ids(measure: str) -> list[str]:
    """Of claims about pairs of neural systems by this measure, one a pair."""
    pairs = {
        tuple(one.claim.ours.weights): name
        for name, one in CLAIMS.items()
        if one.measure.endswith(measure) and len(one.claim.ours.weights) == 2
        if not {"smt", "transformer"} & set(one.claim.ours.weights)
    }
    return list(pairs.values())


BLEU, ROT = ids(".bleu"), ids(".rot")


def test_the_largest_in_multiples_of_the_margin_come_first():
    small, large = judged(BLEU[0], 0.9, margin=0.5), judged(ROT[0], -0.9, margin=0.3)
    assert of(small, large) == [ROT[0], BLEU[0]]


def test_one_with_a_printed_difference_comes_before_a_larger_one_without():
    assert of(judged(ROT[0], 9.0, printed=None), judged(BLEU[0], 0.6)) == [BLEU[0], ROT[0]]


def test_no_measure_twice():
    assert of(judged(BLEU[0], 2.0), judged(BLEU[1], 1.5), judged(ROT[0], 1.0)) == [BLEU[0], ROT[0]]


def test_a_pair_of_systems_comes_again_only_after_all_others():
    both = {tuple(CLAIMS[name].claim.ours.weights): name for name in BLEU}
    rot = next(name for name in ROT if tuple(CLAIMS[name].claim.ours.weights) in both)
    same = both[tuple(CLAIMS[rot].claim.ours.weights)]
    other = next(name for name in BLEU if CLAIMS[name].claim.ours.weights != CLAIMS[rot].claim.ours.weights)
    assert of(judged(rot, 2.0), judged(same, 1.0)) == [rot, same], "the study has no other pair"
    assert of(judged(rot, 2.0), judged(same, 1.0), judged(other, 0.6)) == [rot, other]


@pytest.mark.parametrize("other", [{"verdict": "undecided"}, {"p_fdr": 0.051}, {"p_fdr": None}])
def test_what_is_not_decided_is_no_finding(other):
    assert of(judged(BLEU[0], **other)) == []
    assert of(judged(BLEU[0], verdict="disagrees")) == BLEU[:1]


def test_nor_is_a_gain_over_smt_or_of_one_system():
    smt = [name for name, one in CLAIMS.items() if "smt" in one.claim.ours.weights]
    alone = [name for name, one in CLAIMS.items() if len(one.claim.ours.weights) == 1]
    assert smt and alone and of(*map(judged, (*smt, *alone))) == []


def test_there_are_ten_and_three_at_most():
    assert SYSTEMS == 10 and len(of(*map(judged, CLAIMS))) == 3
