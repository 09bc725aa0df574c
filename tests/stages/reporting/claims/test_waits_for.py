"""Which claims wait for which study, and that no other one is without an answer."""

import json
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.reporting.claims.plans import read_plans
from stages.reporting.claims.unmeasured import waits_for
from stages.settings.params import read
from tests.helpers.paper_claims import CLAIMS
from tests.helpers.paths import ROOT

REAL = ("hansards-en-fr", "zh-en", "multi30k-de-en")


def test_they_wait_for_studies_or_plans_that_there_are():
    assert set(waits_for()) <= {*read(ROOT / "params.yaml")["studies"], *read_plans()}


def test_every_claim_has_an_answer_on_real_text_or_waits_for_a_study():
    answered, judged = set(), set()
    for study in REAL:
        claims = json.loads((ROOT / "reports" / study / "metrics.json").read_text(encoding="utf-8"))["claims"]
        answered |= {name for name, one in claims.items() if one["verdict"] not in ("one seed", "not compared")}
        judged |= {name for name in answered & set(claims) if claims[name]["verdict"] != "not testable"}
    waiting = {claim for claims in waits_for().values() for claim in claims}
    assert not judged & waiting
    assert answered | waiting == CLAIMS.keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("here: [xue-2019/baa]", "there is no claim xue-2019/baa"),
        ("{here: [xue-2019/ba], there: [xue-2019/ba]}", "xue-2019/ba stands 2 times"),
        ("here: xue-2019/ba", "waits_for.here"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, text: str, message: str):
    (tmp_path / "waits.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        waits_for(tmp_path / "waits.yaml")
