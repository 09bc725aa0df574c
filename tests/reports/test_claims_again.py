"""Every claim of the committed reports, computed again from the released counts of the sentences."""

import json

import pytest

from stages.reporting.claims.claims import all_claims
from tests.helpers.paths import ROOT
from tests.reports.intervals import Asked, Study

REPORTS = ROOT / "reports"
WORDS = {claim.id: (claim.claim.words, claim.claim.beside_words) for claim in all_claims()}
JUDGED = ("agrees", "disagrees", "undecided")


def judged(study: str) -> dict[str, dict]:
    """The claims on neural systems that have a verdict: none of a study with one seed."""
    claims = json.loads((REPORTS / study / "metrics.json").read_text(encoding="utf-8")).get("claims", {})
    return {key: one for key, one in claims.items() if one["verdict"] in JUDGED and "smt" not in one["systems"]}


STUDIES = sorted(path.parent.name for path in REPORTS.glob("*/metrics.json") if judged(path.parent.name))


def released(study: str) -> Study:
    document = json.loads((REPORTS / study / "metrics.json").read_text(encoding="utf-8"))
    some = next(iter(document["systems"].values()))
    sets = [name for name in some["mean"]["tests"] if name != "average"]
    corpus = document["recipe"]["data"]["corpus"]
    (folder,) = (REPORTS / "released" / corpus).iterdir()
    return Study(folder, sets)


def verdict(low: float, high: float, claimed: str) -> str:
    if low <= 0 <= high:
        return "undecided"
    return "agrees" if (low > 0) == (claimed == "higher") else "disagrees"


def test_the_studies_on_real_text_are_among_them():
    assert {"hansards-en-fr", "multi30k-de-en", "zh-en"} <= set(STUDIES)


@pytest.mark.parametrize("name", STUDIES)
def test_every_claim_without_smt_follows_from_the_released_counts(name):
    study, claims = released(name), judged(name)
    assert len(claims) > 20
    for key, claim in claims.items():
        found = study.interval(claim["systems"], Asked(claim["measure"], *WORDS[key]))
        expected = [claim[field] for field in found._fields]
        assert list(found) == pytest.approx(expected, rel=1e-9, abs=1e-9), key
        assert verdict(found.low, found.high, claim["claimed"]) == claim["verdict"], key
