"""Plans of new seeds: read, and which claims of which study they are for."""

from pathlib import Path

import pytest
import yaml

from stages.files.errors import InputError
from stages.reporting.claims.plans import Plan, plan_of, read_plans, rests_on, unread
from stages.settings.params import read
from tests.helpers.paper_claims import CLAIMS
from tests.helpers.paths import ROOT

PLANS = read_plans()


def test_they_are_of_studies_and_systems_that_there_are():
    params = read(ROOT / "params.yaml")
    for plan in PLANS.values():
        assert set(plan.studies) <= set(params["studies"]) and set(plan.systems) <= set(params["variants"])


@pytest.mark.parametrize(
    ("claim", "study", "plan"),
    [
        ("kuang-2018/direct", "hansards-en-fr", "bridging-to-eight-seeds"),
        ("kuang-2018/direct", "zh-en", "bridging-to-eight-seeds"),
        ("kuang-2018/direct", "multi30k-de-en", None),
        ("bahdanau-2015/longer-star", "hansards-en-fr", "bridging-to-eight-seeds"),
        ("kuang-2018/source", "hansards-en-fr", "source-and-target-bridging-to-eight-seeds"),
        ("kuang-2018/direct-target", "hansards-en-fr", "source-and-target-bridging-to-eight-seeds"),
        ("kuang-2018/source", "zh-en", None),
        ("kuang-2018/smt", "hansards-en-fr", None),
        ("xue-2019/ba", "hansards-en-fr", "xue-to-eight-seeds"),
        ("xue-2019/ba", "zh-en", None),
        ("xue-2019/ba-coverage", "hansards-en-fr", None),
        ("review-2018/attention-perplexity-reverse", "hansards-en-fr", "hansards-reverse-direction"),
        ("review-2018/attention-perplexity", "hansards-en-fr", None),
        ("review-2018/biases-reverse", "hansards-en-fr", "hansards-reverse-direction"),  # though cohn_all is not in it
        ("review-2018/biases-context-reverse", "hansards-en-fr", "hansards-reverse-direction"),
        ("beyond/ba-coverage-penalty-rot", "hansards-en-fr-beyond", "hansards-beyond"),
        ("beyond/ba-coverage-penalty-rot", "hansards-en-fr", None),
        ("beyond/coverage-loss-rot", "hansards-en-fr-beyond", "hansards-beyond"),
        ("xue-2019/ba", "hansards-en-fr-beyond", None),  # its seeds were read before
    ],
)
def test_which_claims_a_plan_is_for(claim: str, study: str, plan: str | None):
    assert plan_of(CLAIMS[claim], [study, "its corpus"], PLANS) == plan
    assert plan_of(CLAIMS[claim], ["its corpus", study], PLANS) == plan


@pytest.mark.parametrize(
    ("seeds", "part", "whole"),
    [
        ([1, 2, 3], False, False),
        ([1, 2, 3, 4], True, False),
        ([1, 2, 3, 4, 5, 6, 7], True, False),
        ([4, 5, 6, 7, 8], True, False),
        ([1, 2, 3, 4, 5, 6, 7, 8], False, True),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9], False, True),
    ],
)
def test_a_part_of_the_seeds_is_not_read(seeds: list[int], part: bool, whole: bool):
    plan = PLANS["bridging-to-eight-seeds"]
    why = "read at 8 seeds, and not before" if part else None
    assert (unread(plan, ["zh-en-bridging", "zh-en"], seeds), rests_on(plan, seeds)) == (why, whole)


def test_a_plan_is_read_in_one_study_and_not_again():
    plan, seeds = PLANS["bridging-to-eight-seeds"], list(range(1, 9))
    for study in ("hansards-en-fr", "hansards-en-fr-xue", "hansards-en-fr-bridging-others"):
        assert unread(plan, [study, "hansards-en-fr"], seeds) == "read in hansards-en-fr-bridging and zh-en-bridging"
    assert unread(plan, ["hansards-en-fr", "hansards-en-fr"], [1, 2, 3]) is None, "its own seeds were read before"


@pytest.mark.parametrize("name", PLANS)
def test_the_studies_that_read_a_plan_have_its_systems_and_seeds(name: str):
    plan, studies = PLANS[name], read(ROOT / "params.yaml")["studies"]
    readers = [studies[study] for study in plan.reported_in or plan.studies]
    assert [one["corpus"] for one in readers] == [studies[study]["corpus"] for study in plan.studies]
    for one in readers:
        there = {*one["systems"], *one["fine_tuned"], *one["decoded"]}
        names = (one["study"], one["corpus"])
        covered = [claim for claim in CLAIMS.values() if plan_of(claim, names, PLANS) == name]
        assert covered and there >= {*plan.systems, *(of for claim in covered for of in claim.claim.ours.weights)}
        assert rests_on(plan, one["seeds"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"date": "soon"}, "plans.one.date"),
        ({"systems": []}, "plans.one.systems"),
        ({"read_at": 1}, "plans.one.read_at"),
        ({"claims": "those that agree"}, "plans.one.claims.*only systems of this plan"),
        ({"typo": 1}, "unknown key"),
        ({"seeds": None}, "plans.one.seeds"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], message: str):
    monkeypatch.setattr("stages.reporting.claims.plans.FILE", tmp_path / "plans.yaml")
    plan = PLANS["bridging-to-eight-seeds"]
    content = plan.model_dump(mode="json") | changes
    (tmp_path / "plans.yaml").write_text(yaml.safe_dump({"one": content}), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_plans()
    (tmp_path / "plans.yaml").write_text(yaml.safe_dump({"one": plan.model_dump(mode="json")}), encoding="utf-8")
    assert read_plans() == {"one": Plan.model_validate(plan.model_dump())}
