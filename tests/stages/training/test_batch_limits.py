"""A pair that no batch has room for is one sentence before fairseq loads anything."""

import re
from pathlib import Path
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.settings.training import Training
from stages.training.batch_limits import check_batch_limits, check_sources
from tests.helpers import tiny
from tests.helpers.started import refusal

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]["training"]


def check(folder: Path, name: str, lengths: tuple[int, int], **settings: Any) -> None:
    """Train and dev have a pair of one word, and ``name`` one of so many."""
    pairs = {"train": [(1, 1)], "dev": [(1, 1)]}
    pairs[name].append(lengths)
    for part, rows in pairs.items():
        for language, column in zip(("zh", "en"), zip(*rows, strict=True), strict=True):
            write_lines(folder / f"{part}.{language}", [" ".join("w" * length) for length in column])
    check_batch_limits(
        Training(**SETTINGS | {"max_length": None, "max_tokens": None, **settings}), folder, ("zh", "en")
    )


@pytest.mark.parametrize(
    ("name", "lengths", "settings"),
    [
        ("train", (59, 1), {"max_tokens": 60}),
        ("dev", (1, 59), {"max_tokens": 60}),
        ("train", (1023, 1), {"max_sentences": 2}),
        ("dev", (1023, 1), {"max_tokens": 5000}),
        ("train", (60, 1), {"max_tokens": 60, "max_length": 59}),
        ("train", (5000, 1), {"max_sentences": 2, "max_length": 59}),
    ],
)
def test_a_pair_that_fits_or_is_left_out(tmp_path, name, lengths, settings):
    check(tmp_path, name, lengths, **settings)


@pytest.mark.parametrize(
    ("name", "lengths", "settings", "message"),
    [
        (
            "train", (60, 1), {"max_tokens": 60},
            r"train\.zh, line 2: 61 .* the 60 max_tokens; leave .* with max_length or raise max_tokens$",
        ),
        ("train", (1, 60), {"max_tokens": 60}, r"train\.en, line 2: 61 pieces"),
        ("dev", (60, 1), {"max_tokens": 60, "max_length": 59}, r"dev\.zh, line 2: .*; take .* of dev or raise max_tok"),
        ("dev", (1024, 1), {"max_sentences": 2}, r"dev\.zh, line 2: 1025 .* the 1024 positions .*; take .* of dev$"),
        ("train", (1024, 1), {"max_tokens": 5000}, r"the 1024 positions of the models; leave .* with max_length$"),
    ],
)  # fmt: skip
def test_a_pair_that_does_not(tmp_path, name, lengths, settings, message):
    with pytest.raises(InputError) as error:
        check(tmp_path, name, lengths, **settings)
    assert re.search(message, str(error.value))


@pytest.mark.training
def test_a_training_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("stages.training.batch_limits.POSITIONS", 9)
    error = refusal(capsys, "one_epoch", tmp_path / "scratch")
    assert re.search(r"line \d+: \d+ pieces, eos counted, are more than the 9 positions", error)


@pytest.mark.parametrize(("name", "length", "max_length"), [("dev", 9, None), ("train", 9, None), ("train", 9, 30)])
def test_a_source_that_the_system_cannot_read(tmp_path, name, length, max_length):
    path = tmp_path / f"{name}.zh"
    write_lines(path, ["w", " ".join("w" * length)])
    check_sources(length + 1, max_length, [path])
    message = re.escape(f"{path}, line 2: 10 pieces, eos counted, are more than the 9 that the system")
    with pytest.raises(InputError, match=message):
        check_sources(length, max_length, [path])


def test_training_pairs_that_are_left_out_are_not_read(tmp_path):
    write_lines(tmp_path / "train.zh", ["w", "w w w w"])
    check_sources(4, 3, [tmp_path / "train.zh"])
