"""The margins: one of every measure that a claim is about, and none that is guessed."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.reporting.claims.margins import margin
from tests.helpers.paper_claims import OF_PAPERS

BEFOREHAND = {
    "tests.average.bleu": 0.5,
    "tests.average.bleu_v11b": 0.5,
    "tests.average.ter": 0.5,
    "tests.average.ter_minus_bleu_half": 0.5,
    "aer": 1.0,
    "saer": 1.0,
    "align_f1_t02": 1.0,
    "perplexity": 0.25,
    "perplexity_reverse": 0.25,
}
"""Fixed before the verdicts were read."""


@pytest.mark.parametrize("measure", BEFOREHAND)
def test_margins_are_those_that_were_fixed(measure):
    assert margin(measure) == BEFOREHAND[measure]


def test_every_claim_has_one():
    assert all(margin(claim.measure) > 0 for claim in OF_PAPERS.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{measures: [bleu], margin: 0.5, why: x}, {measures: [bleu], margin: 1.0, why: x}]", "bleu has two margins"),
        ("[{measures: [ter], margin: 0.5, why: x}]", "bleu has no margin; add one"),
        ("[{measures: [bleu], margin: 0, why: x}]", "margins.0.margin"),
        ("[{measures: [bleu], margin: 0.5}]", "margins.0.why: missing key"),
    ],
)
def test_a_slip_is_an_error_that_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
):
    monkeypatch.setattr("stages.reporting.claims.margins.FILE", tmp_path / "margins.yaml")
    (tmp_path / "margins.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        margin("tests.average.bleu")
    assert "margins.yaml" in str(error.value)
