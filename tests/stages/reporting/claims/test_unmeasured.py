"""What the papers claim and nothing here measures."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.reporting.claims.claims import all_claims
from stages.reporting.claims.unmeasured import unmeasured


def test_nothing_of_it_is_a_claim_that_is_judged():
    said = {claim.claim.says for claim in all_claims()}
    found = unmeasured()
    assert len({one.says for one in found}) == len(found) and not said & {one.says for one in found}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {paper: xue-2018, place: Table 1, says: X, why: y}", "there is no paper xue-2018 .*xue-2019"),
        ("- {paper: xue-2019, place: Table 1, says: X}", "why"),
        ("- {paper: xue-2019, place: Table 1, says: X, why: ''}", "why"),
        ("x: 1", "unmeasured"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, text: str, message: str):
    (tmp_path / "unmeasured.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        unmeasured(tmp_path / "unmeasured.yaml")
