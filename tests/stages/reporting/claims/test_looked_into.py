"""What was tried where a system surprised: read, and shown beside the verdicts."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL
from stages.reporting.claims.judged import Judged
from stages.reporting.claims.looked_into import FILE as LOOKED_INTO
from stages.reporting.claims.looked_into import looked_into, of_claim
from stages.reporting.tables.claims import claims_table
from stages.settings.params import read
from tests.helpers.paper_claims import OF_PAPERS
from tests.helpers.paths import ROOT

EVERY = [Judged(claim, "agrees", 0.5) for claim in OF_PAPERS.values()]
TRIED = {"sa_nmt": "another rate: the same"}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """Puts a text in the place of what was looked into."""
    file = tmp_path / "looked_into.yaml"
    monkeypatch.setattr("stages.reporting.claims.looked_into.FILE", file)
    return partial(file.write_text, encoding="utf-8")


def test_it_is_of_studies_and_systems_that_there_are():
    params = read(ROOT / "params.yaml")
    found = read(LOOKED_INTO)
    assert set(found) <= set(params["studies"])
    for study in found:
        assert set(looked_into(study, EVERY)) <= {*params["variants"], *STATISTICAL}


@pytest.mark.parametrize("study", [study for study in read(LOOKED_INTO) if (ROOT / "reports" / study).exists()])
def test_a_text_has_the_sizes_of_the_studys_own_differences(study):
    """So that no report has a figure of an earlier one."""
    claims = json.loads((ROOT / "reports" / study / "metrics.json").read_text("utf-8"))["claims"]
    judged = [Judged(claim, "agrees", claims.get(name, {}).get("difference")) for name, claim in OF_PAPERS.items()]
    assert not any(re.search(r" – |\{\w+-\d+/", text) for text in looked_into(study, judged).values())


def test_a_size_is_of_one_decimal_and_its_claim_is_one_that_there_is(written):
    written("mine: {sa_nmt: 'it is {xue-2019/ba-sa} behind'}\n")
    claim = OF_PAPERS["xue-2019/ba-sa"]
    assert looked_into("mine", [Judged(claim, "disagrees", -0.37)]) == {"sa_nmt": "it is 0.4 behind"}
    assert looked_into("mine", [Judged(claim, "not compared")]) == {"sa_nmt": "it is – behind"}
    with pytest.raises(InputError, match="mine names the claim xue-2019/ba-sa, which there is not"):
        looked_into("mine", [])


def test_of_a_study_that_nobody_looked_into_there_is_nothing(written):
    written("mine: {sa_nmt: 'another rate: the same'}\n")
    assert looked_into("mine", []) == TRIED and looked_into("other", []) == {}


def test_studies_are_called_as_in_the_settings(written):
    written("mine-de-en: {sa_nmt: 'another rate: the same'}\n")
    assert looked_into("mine-de-en", []) == TRIED


@pytest.mark.parametrize("text", ["mine: {sa_nmt: 3}", "mine: a text", "mine: {'not a name': text}"])
def test_anything_else_is_refused(written, text):
    written(text)
    with pytest.raises(InputError, match=r"looked_into\.mine"):
        looked_into("mine", [])


def marked(claims: list, looked: dict[str, str]) -> list[bool]:
    """Of each claim, whether its verdict says that something was looked into."""
    rows = claims_table([Judged(claim, "disagrees") for claim in claims], looked).rows
    return ["(looked into)" in cells[8].text for _, cells in rows]


def test_the_verdict_says_so():
    claims = [claim for claim in OF_PAPERS.values() if "sa_nmt" in claim.claim.ours.weights]
    other = next(claim for claim in OF_PAPERS.values() if "sa_nmt" not in claim.claim.ours.weights)
    assert marked([*claims, other], TRIED) == [True] * len(claims) + [False]


def test_what_was_found_of_a_control_is_no_news_of_the_system_that_has_one_of_its_own():
    claim = OF_PAPERS["xue-2019/ba-sa"]
    assert of_claim(Judged(claim, "disagrees"), TRIED | {"ba_nmt": "its own"}) == ["ba_nmt"]
    assert of_claim(Judged(claim, "disagrees"), TRIED) == ["sa_nmt"]
