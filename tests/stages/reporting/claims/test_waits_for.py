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
from tests.helpers.real_studies import reported
from tests.helpers.report_study import write


def told(reports: Path) -> tuple[set[str], set[str]]:
    """The claims that the reports there on real text have an answer to, and of these the ones with a verdict."""
    answered, judged = set(), set()
    for study in reported(reports):
        claims = json.loads((reports / study / "metrics.json").read_text(encoding="utf-8"))["claims"]
        found = {
            name: one["verdict"] for name, one in claims.items() if one["verdict"] not in ("one seed", "not compared")
        }
        answered |= found.keys()
        judged |= {name for name, verdict in found.items() if verdict != "not testable"}
    return answered, judged


def test_they_wait_for_studies_or_plans_that_there_are():
    assert set(waits_for()) <= {*read(ROOT / "params.yaml")["studies"], *read_plans()}


def test_every_claim_has_an_answer_on_real_text_or_waits_for_a_study():
    answered, judged = told(ROOT / "reports")
    waiting = {claim for claims in waits_for().values() for claim in claims}
    assert judged & waiting == set(), "a report judges them: take them out of waits_for.yaml"
    assert answered | waiting == CLAIMS.keys()


def test_a_report_of_any_study_on_real_text_ends_the_waiting(tmp_path: Path):
    verdicts = {"beyond/ensemble-bleu": "agrees", "mi-2016/empty": "not testable", "xue-2019/ba": "one seed"}
    claims = {name: {"verdict": verdict} for name, verdict in verdicts.items()}
    for study, of in {"hansards-en-fr-beyond": claims, "demo": {"xue-2019/sa": {"verdict": "agrees"}}}.items():
        write(tmp_path / study / "metrics.json", json.dumps({"claims": of}))
    assert told(tmp_path) == ({"beyond/ensemble-bleu", "mi-2016/empty"}, {"beyond/ensemble-bleu"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("here: [xue-2019/baa]", "there is no claim xue-2019/baa"),
        ("{here: [xue-2019/ba], there: [xue-2019/ba]}", "xue-2019/ba stands 2 times"),
        ("here: xue-2019/ba", "waits_for.here"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str):
    monkeypatch.setattr("stages.reporting.claims.unmeasured.WAITS_FOR", tmp_path / "waits.yaml")
    (tmp_path / "waits.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        waits_for()
