"""Every claim of the committed reports, computed again from the released counts of the sentences."""

import json
from collections import defaultdict
from collections.abc import Iterable

import pytest

from stages.reporting.overview.means import means
from stages.reporting.overview.study import read_studies
from tests.helpers.paper_claims import CLAIMS
from tests.helpers.paths import ROOT
from tests.helpers.real_studies import reported
from tests.reports import texts, verdicts
from tests.reports.intervals import ONCE, Asked, Interval, Study
from tests.reports.verdicts import Claim

REPORTS = ROOT / "reports"
WORDS = {
    claim.id: (claim.claim.words, claim.claim.beside_words, claim.claim.beside_measure) for claim in CLAIMS.values()
}
NO_ANSWER = ("one seed", "not compared")


def document(study: str) -> dict:
    return json.loads((REPORTS / study / "metrics.json").read_text(encoding="utf-8"))


def answered(study: str) -> dict[str, dict]:
    """The claims with an interval: none of a study with one seed."""
    claims = document(study).get("claims", {})
    return {key: one for key, one in claims.items() if one["verdict"] not in NO_ANSWER and one.get("low") is not None}


STUDIES = sorted(path.parent.name for path in REPORTS.glob("*/metrics.json") if answered(path.parent.name))
QUICK = "multi30k-de-en"
"""The study that has the fewest sentences of those on real text."""
REAL = reported()


def cases(names: Iterable[str]) -> list:
    return [name if name == QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


def released(study: str) -> Study:
    found = document(study)
    some = next(iter(found["systems"].values()))
    sets = [name for name in some["mean"]["tests"] if name != "average"]
    (folder,) = (REPORTS / "released" / found["recipe"]["data"]["corpus"]).iterdir()
    return Study(folder, sets, found["systems"], found["recipe"]["seeds"])


def claim_of(one: dict) -> Claim:
    printed = one["paper_difference"]
    return Claim(one["systems"], one["measure"], one["claimed"], None if printed is None else float(printed))


def untestable(study: Study, claim: Claim, asked: Asked, lowercase: bool) -> bool:
    control = next((name for name, weight in claim.systems.items() if weight < 0), None)
    rates = [study.mean(name, Asked("aer")) for name in study.files if name != ONCE]
    return (
        verdicts.no_case(claim, lowercase)
        or verdicts.at_its_ceiling(claim, control and study.mean(control, asked))
        or verdicts.gold_is_far(claim, [rate for rate in rates if rate is not None])
    )


def without_an_interval(study: str) -> dict[str, dict]:
    return {key: one for key, one in document(study)["claims"].items() if one["low"] is None}


def test_the_studies_on_real_text_are_among_them():
    assert {"hansards-en-fr", "multi30k-de-en", "zh-en"} <= set(STUDIES) & set(REAL)
    assert sum(bool(without_an_interval(name)) for name in REAL) > 3


@pytest.mark.parametrize("name", cases(STUDIES))
def test_every_claim_follows_from_the_released_counts(name):
    lowercase = document(name)["recipe"]["data"]["lowercase"]
    study = released(name)
    claims = {key: one for key, one in answered(name).items() if set(one["systems"]) <= set(study.files)}
    assert len(claims) > 10
    for key, one in claims.items():
        claim, asked = claim_of(one), Asked(one["measure"], *WORDS[key])
        found = study.interval(claim.systems, asked)
        expected = [one[field] for field in found._fields]
        assert list(found) == pytest.approx(expected, rel=1e-9, abs=1e-9), key
        if untestable(study, claim, asked, lowercase):
            assert (one["verdict"], one["printed_gain"], one["p_fdr"]) == ("not testable", None, None), key
        else:
            assert verdicts.verdict(claim, found) == (one["verdict"], one["printed_gain"]), key
        assert one["margin"] == verdicts.MARGINS[claim.name], key


@pytest.mark.parametrize("name", cases(REAL))
def test_claims_without_an_interval_have_no_verdict(name):
    """They lack a system, its counts or sentences; or there is one seed, whose difference is that of the counts."""
    lowercase, study, seeds = (
        document(name)["recipe"]["data"]["lowercase"],
        released(name),
        document(name)["recipe"]["seeds"],
    )
    for key, one in without_an_interval(name).items():
        if key not in WORDS:
            assert one["verdict"] == "one seed", f"{key} is no longer asked: make the report again"
            continue
        claim, asked = claim_of(one), Asked(one["measure"], *WORDS[key])
        there = [study.fewest(system, asked) if system in study.files else None for system in claim.systems]
        if None in there:
            expected = "not compared"
        elif min(there) < 20 or untestable(study, claim, asked, lowercase):
            expected = "not testable"
        else:
            expected = "one seed"
            assert len(seeds) == 1, f"{key} has no interval"
        assert one["verdict"] == expected, key
        if one["difference"] is not None:
            difference = sum(weight * study.mean(system, asked) for system, weight in claim.systems.items())
            assert one["difference"] == pytest.approx(difference, rel=1e-9, abs=1e-9), key


@pytest.mark.parametrize("name", STUDIES)
def test_the_false_discovery_rate_is_of_all_claims_that_are_counted_together(name):
    families = defaultdict(dict)
    parameters = {system: one["mean"]["parameters"] for system, one in document(name)["systems"].items()}
    for key, one in answered(name).items():
        if one["verdict"] != "not testable" and one["claimed"] in ("higher", "lower"):
            families[verdicts.apart(one["systems"], parameters)][key] = one
    assert families[False]
    for family in families.values():
        expected = verdicts.adjusted([one["p"] for one in family.values()])
        assert [one["p_fdr"] for one in family.values()] == pytest.approx(expected)


def test_means_of_corpora_follow_from_what_the_studies_say():
    studies = [study for study in read_studies(REPORTS) if study.name in STUDIES]
    found = means(studies)
    assert found
    for key, mean in found.items():
        told = [study.verdicts[key] for study in texts.speaking(key, studies)]
        q, p = verdicts.cochran([(one["difference"], one["low"], one["high"]) for one in told])
        assert (mean["q"], mean["p_q"]) == pytest.approx((q, p)), key
        low, high = verdicts.mean_limits([(one["difference"], one["low"], one["high"]) for one in told])
        low_90, high_90 = verdicts.mean_limits([(one["difference"], one["low_90"], one["high_90"]) for one in told])
        middle = sum(one["difference"] for one in told) / len(told)
        assert [mean[field] for field in ("difference", "low", "high")] == pytest.approx([middle, low, high]), key
        limits = Interval(middle, low, high, 0, 0, 0, low_90, high_90)
        verdict, gain = verdicts.verdict(claim_of(told[0]), limits)
        assert mean["printed_gain"] == gain, key
        assert mean["verdict"] == ("corpora disagree" if p < 0.05 else verdict), key
