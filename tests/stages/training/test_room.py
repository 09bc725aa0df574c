"""A pair that no batch has room for is one sentence before fairseq loads anything."""

import re
from pathlib import Path
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.settings.training import Training
from stages.training.room import check_room
from tests.helpers import tiny
from tests.helpers.started import refusal

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]["training"]


def check(folder: Path, lengths: list[tuple[int, int]], **settings: Any) -> None:
    """Train is a pair of one word, dev has pairs of so many."""
    for name, pairs in {"train": [(1, 1)], "dev": lengths}.items():
        for language, column in zip(("zh", "en"), zip(*pairs, strict=True), strict=True):
            write_lines(folder / f"{name}.{language}", [" ".join("w" * length) for length in column])
    check_room(Training(**SETTINGS | {"max_length": None, "max_tokens": None, **settings}), folder, ("zh", "en"))


@pytest.mark.parametrize(
    ("lengths", "settings"),
    [
        ((59, 1), {"max_tokens": 60}),
        ((1, 59), {"max_tokens": 60}),
        ((1023, 1), {"max_sentences": 2}),
        ((1023, 1), {"max_tokens": 5000}),
        ((60, 1), {"max_tokens": 60, "max_length": 59}),
        ((5000, 1), {"max_sentences": 2, "max_length": 59}),
    ],
)
def test_a_pair_that_fits_or_is_left_out(tmp_path, lengths, settings):
    check(tmp_path, [(1, 1), lengths], **settings)


@pytest.mark.parametrize(
    ("lengths", "settings", "message"),
    [
        ((60, 1), {"max_tokens": 60}, "zh, line 2: 61 pieces, .* the 60 max_tokens; leave .* max_length or raise it$"),
        ((1, 60), {"max_tokens": 60}, "en, line 2: 61 pieces"),
        ((1024, 1), {"max_sentences": 2}, "zh, line 2: 1025 .* the 1024 positions of the models; leave .* max_length$"),
        ((1024, 1), {"max_tokens": 5000}, "1024 positions"),
    ],
)
def test_a_pair_that_does_not(tmp_path, lengths, settings, message):
    with pytest.raises(InputError) as error:
        check(tmp_path, [(1, 1), lengths], **settings)
    assert re.search(rf"dev\.{message}" if message.startswith(("zh", "en")) else message, str(error.value))


def test_a_training_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("stages.training.room.POSITIONS", 9)
    error = refusal(capsys, "one_epoch", tmp_path / "scratch")
    assert re.search(r"line \d+: \d+ pieces, eos counted, are more than the 9 positions", error)
