"""Classes of words learned from tagged text."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.tagging import word_classes
from stages.text.symbols import UNKNOWN

TAGGED = [
    (["The", "plan", "costs", "Bovo", "five", "tons"], ["DT", "NN", "V", "NR", "CD", "NN"]),
    (["the", "plan"], ["DT", "NN"]),
    (["They", "plan"], ["OTHER", "V"]),
    (["5月"], ["NT"]),
]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("plan", "NN"),  # more often than V
        ("Plan", "NN"),  # known in lower case
        ("Zoro", "NR"),
        ("27.2", "CD"),
        ("3日", "NT"),
        ("houses", "NN"),  # of the words without form: the DT, plan NN, costs V, five CD, tons NN
        (UNKNOWN, "NN"),
    ],
)
def test_word_classes(word: str, expected: str) -> None:
    assert word_classes.learn(TAGGED)([[word], []]) == [[expected], []]


def test_word_classes_without_plain_words() -> None:
    assert word_classes.learn([(["Bovo"], ["NR"])])([["houses"]]) == [["NN"]]


def test_accuracy() -> None:
    learned = word_classes.learn(TAGGED)
    dev = [(["They", "plan", "houses"], ["OTHER", "V", "NN"]), (["Zoro"], ["NN"])]
    assert learned.accuracy(dev) == word_classes.Accuracy(words=4, known=50, correct=50, correct_unknown=50)
    assert learned.accuracy([(["plan"], ["NN"])]) == word_classes.Accuracy(1, 100, 100, None)


def test_words_written_and_read(tmp_path: Path) -> None:
    learned = word_classes.learn(TAGGED)
    word_classes.write(tmp_path / "words", learned)
    assert word_classes.read(tmp_path / "words").table == learned.table


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["<unk>\tNN", "house\tNNS"], "line 2: not a word and a class"),
        (["<unk>\tNN", "house NN"], "line 2: not a word and a class"),
        (["house\tNN"], "has no line for <unk>"),
    ],
)
def test_bad_words(tmp_path: Path, lines: list[str], message: str) -> None:
    write_lines(tmp_path / "words", lines)
    with pytest.raises(InputError, match=message):
        word_classes.read(tmp_path / "words")
