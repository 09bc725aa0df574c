"""A pair that no batch has room for, or that the model cannot read, is one sentence before fairseq loads anything."""

import re
from pathlib import Path
from typing import Any

import pytest

from fairseq_plugins.core.model import RecurrentModel
from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.settings.training import Training
from stages.training.batch_limits import check_lengths
from tests.helpers import tiny
from tests.helpers.started import refusal

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]["training"]


def check(
    folder: Path, name: str, lengths: tuple[int, int], positions: tuple[int, int] = (1024, 1024), **settings: Any
) -> None:
    """Train, dev and test have a pair of one word, and ``name`` one of so many."""
    pairs = {"train": [(1, 1)], "dev": [(1, 1)], "test": [(1, 1)]}
    pairs[name].append(lengths)
    for part, rows in pairs.items():
        for language, column in zip(("zh", "en"), zip(*rows, strict=True), strict=True):
            write_lines(folder / f"{part}.{language}", [" ".join("w" * length) for length in column])
    given = Training(**SETTINGS | {"max_length": None, "max_tokens": None, **settings})
    check_lengths(given, folder, ("zh", "en"), positions, ("dev", "test"))


@pytest.mark.parametrize(
    ("name", "lengths", "settings"),
    [
        ("train", (59, 1), {"max_tokens": 60}),
        ("dev", (1, 59), {"max_tokens": 60}),
        ("train", (1023, 1), {"max_sentences": 2}),
        ("dev", (1023, 1), {"max_tokens": 5000}),
        ("train", (60, 1), {"max_tokens": 60, "max_length": 59}),
        ("train", (5000, 1), {"max_sentences": 2, "max_length": 59}),
        ("train", (150, 250), {"max_sentences": 2, "max_length": 200, "positions": (128, 1024)}),
        ("train", (127, 500), {"max_sentences": 2, "positions": (128, 1024)}),
        ("test", (127, 5000), {"max_tokens": 60, "positions": (128, 1024)}),
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
        ("dev", (1024, 1), {"max_sentences": 2}, r"dev\.zh, line 2: 1025 .* the 1024 positions .*; take .* of dev or"),
        ("train", (1024, 1), {"max_tokens": 5000}, r"the 1024 positions of the model; leave .* with max_length or"),
        ("train", (128, 1), {"max_sentences": 2, "positions": (128, 1024)}, r"train\.zh, line 2: 129 .* the 128 posi"),
        ("dev", (1, 600), {"max_sentences": 2, "positions": (1024, 512)}, r"dev\.en, line 2: 601 .* the 512 positions"),
        (
            "test", (128, 1), {"max_tokens": 60, "positions": (128, 1024)},
            r"test\.zh, line 2: 129 .* the 128 .*; take the pair out of test or raise .*location_positions\)$",
        ),
    ],
)  # fmt: skip
def test_a_pair_that_does_not(tmp_path, name, lengths, settings, message):
    with pytest.raises(InputError) as error:
        check(tmp_path, name, lengths, **settings)
    assert re.search(message, str(error.value))


@pytest.mark.training
def test_a_training_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(RecurrentModel, "max_positions", lambda model: (9, 1024))
    error = refusal(capsys, "one_epoch", tmp_path / "scratch")
    assert re.search(r"line \d+: \d+ pieces, eos counted, are more than the 9 positions", error)
