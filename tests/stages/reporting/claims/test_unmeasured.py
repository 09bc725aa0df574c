"""What the papers claim and nothing here measures."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.reporting.claims.plans import read_plans
from stages.reporting.claims.unmeasured import unmeasured
from stages.settings.params import read
from tests.helpers.paper_claims import OF_PAPERS
from tests.helpers.paths import ROOT


def test_nothing_of_it_is_a_claim_that_is_judged():
    said = {claim.claim.says for claim in OF_PAPERS.values()}
    found = unmeasured()
    assert len({one.says for one in found}) == len(found) and not said & {one.says for one in found}


def test_what_waits_names_a_study_or_plan_that_there_is():
    waiting = {one.waits_for for one in unmeasured()} - {None}
    assert waiting and waiting <= {*read(ROOT / "params.yaml")["studies"], *read_plans()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {paper: xue-2018, place: Table 1, says: X, not_testable: y}", "there is no paper xue-2018 .*xue-2019"),
        ("- {paper: xue-2019, place: Table 1, says: X}", "not_testable with the reason, or waits_for"),
        ("- {paper: xue-2019, place: Table 1, says: X, not_testable: ''}", "not_testable"),
        ("- {paper: xue-2019, place: Table 1, says: X, waits_for: demo}", "or waits_for with why"),
        ("- {paper: xue-2019, place: Table 1, says: X, not_testable: y, waits_for: demo, why: y}", "or waits_for"),
        ("x: 1", "unmeasured"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str):
    monkeypatch.setattr("stages.reporting.claims.unmeasured.FILE", tmp_path / "unmeasured.yaml")
    (tmp_path / "unmeasured.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        unmeasured()
