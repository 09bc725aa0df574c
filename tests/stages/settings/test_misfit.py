"""A tokeniser of BLEU that cannot be right for the language is refused before anything runs."""

import pytest

from stages.settings.scoring import ScoreSettings, misfit


def of(tokeniser: str, detokenise: bool = True) -> ScoreSettings:
    return ScoreSettings(detokenise=detokenise, bleu_tokenize=tokeniser, aer_eos="drop", unk_replace="none")


@pytest.mark.parametrize(
    ("tokeniser", "target", "detokenise"),
    [
        *[("13a", "en", True), ("none", "en", False), ("zh", "cmn", True), ("char", "th", True), ("none", "ja", False)],
        *[("13a", "ko", True), ("char", "ko", True), ("intl", "ru", True)],
    ],
)
def test_what_fits(tokeniser: str, target: str, detokenise: bool) -> None:
    assert misfit(of(tokeniser, detokenise), target) is None


@pytest.mark.parametrize(
    ("tokeniser", "target", "detokenise", "remedy"),
    [
        *[("13a", "zh", True, "write zh or char"), ("none", "zh", True, "zh or char"), ("13a", "th", False, "char")],
        *[
            ("zh", "en", True, "write 13a"),
            ("zh", "ja", True, "write ja-mecab"),
            ("zh", "tha", True, "write char"),
            ("ja-mecab", "ko", True, "ko-mecab"),
        ],
    ],
)
def test_what_does_not(tokeniser: str, target: str, detokenise: bool, remedy: str) -> None:
    assert remedy in misfit(of(tokeniser, detokenise), target)


def test_a_tokeniser_whose_package_is_absent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.settings.scoring.find_spec", lambda name: None)
    assert "pip install 'sacrebleu[ja]'" in misfit(of("ja-mecab"), "jpn")
    monkeypatch.setattr("stages.settings.scoring.find_spec", lambda name: name)
    assert misfit(of("ja-mecab"), "jpn") is None
