"""What a perfect system reaches is measured when the corpus is made, and said where it is little."""

from pathlib import Path

import pytest

from stages.corpora.parallel import ParallelSet, Sentence
from stages.corpora.round_trip import round_trip, round_trips, warnings
from stages.corpora.tokenise import tokeniser
from stages.corpus import make
from stages.files.records import read_json
from stages.files.text import write_lines
from tests.helpers.corpora.made_up import LOCAL, NOWHERE, local


def test_text_that_comes_back_has_a_hundred() -> None:
    line = "Aujourd’hui, l’homme voit « la pierre » : il rit."
    assert round_trip([tokeniser("fr")(line)], [line], "fr") == (100.0, [])


def test_what_is_lost_is_named() -> None:
    lines = ["Well… they said… nothing at all.", "And so…"]
    found = round_trip([tokeniser("en")(line) for line in lines], lines, "en")
    assert found.bleu < 99 and found.lost == ["…"]


@pytest.mark.parametrize("code", ["zh", "cmn"])
def test_chinese_is_compared_as_the_measures_compare_it(code: str) -> None:
    line = "“今天”，小猫看见 Python 3.5，对吗？"
    assert round_trip([tokeniser(code)(line)], [line], code).bleu == pytest.approx(100)


def test_a_sentence_for_the_worst_set_of_a_language() -> None:
    line = "Well… they said… nothing at all."
    held = ParallelSet((Sentence("a b c d", tokeniser("en")(line)),), (("a b c d",),), ((line,),))
    (said,) = warnings(round_trips({"dev": held}, ("de", "en")))
    assert said.startswith("en: the best that can be reached in dev is ") and said.endswith(": …")


def test_it_stands_in_the_record_of_raw_text_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, lines in LOCAL.items():
        write_lines(tmp_path / name, lines)
    make("mine", local(tmp_path, tokenised=False), NOWHERE, tmp_path / "raw")
    make("mine", local(tmp_path, tokenised=True), NOWHERE, tmp_path / "words")
    raw, words = (read_json(tmp_path / name / "stats.json") for name in ("raw", "words"))
    assert set(raw["round_trip"]) == {"dev", "test"} and set(raw["round_trip"]["dev"]) == {"de", "en"}
    assert "round_trip" not in words and raw["unicode"] == words["unicode"] == "NFC"
