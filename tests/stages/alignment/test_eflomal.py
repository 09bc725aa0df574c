"""The statistical aligner: its settings, its directions and limits, and programs that do not work."""

import random
from pathlib import Path

import numpy as np
import pytest

from stages.alignment import eflomal, pharaoh
from stages.files.errors import InputError
from stages.files.text import read_lines
from stages.settings.alignment import AlignmentSettings
from stages.settings.params import validate
from tests.helpers.alignment import SETTINGS

LANGUAGES = ("de", "en")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": 4}, "wordalign.model"),
        ({"iterations": [3, 3]}, "iterations must be null or 3 numbers"),
        ({"iterations": [3, 0, 3]}, "wordalign.iterations.1"),
        ({"threads": 2}, "wordalign.threads: unknown key"),
        ({"seed": -1}, "wordalign.seed"),
    ],
)
def test_wrong_settings_are_named(change: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        validate(SETTINGS.model_dump() | change, AlignmentSettings, "corpora.demo.wordalign")


@pytest.mark.parametrize(
    ("model", "pairs", "iterations"),
    [
        (1, 10_000, (50,)),
        (2, 10_000, (12, 50)),
        (3, 10_000, (12, 12, 50)),
        (3, 10**8, (2, 1, 2)),
        (3, 1, (1250, 1250, 5000)),
    ],
)
def test_eflomals_own_number_of_iterations(model: int, pairs: int, iterations: tuple[int, ...]) -> None:
    assert eflomal.default_iterations(model, pairs) == iterations


@pytest.mark.process
def test_directions_of_eflomal(tmp_path: Path) -> None:
    """Two target words for every source word: only forward can link both of them to it."""
    numbers = random.Random(1)
    words = [[numbers.randrange(30) for _ in range(4)] for _ in range(200)]
    pairs = [(" ".join(f"s{n}" for n in line), " ".join(f"T{n} u{n}" for n in line)) for line in words]
    done = eflomal.align(pairs, LANGUAGES, SETTINGS, tmp_path)
    assert done.pairs == 200
    forward, reverse = pharaoh.read(done.forward), pharaoh.read(done.reverse)
    for f, r in zip(forward, reverse, strict=True):
        assert len({j for _, j in f}) == len(f) and len({i for i, _ in r}) == len(r)
    right = {(i, j) for i in range(4) for j in (2 * i, 2 * i + 1)}
    assert np.mean([len(right & set(f)) / 8 for f in forward]) > 0.9
    assert np.mean([len(right & set(r)) / 4 for r in reverse]) > 0.9


@pytest.mark.process
def test_case_does_not_tell_words_apart(tmp_path: Path) -> None:
    pairs = [("Das Haus", "The House"), ("das haus", "THE house")]
    eflomal.align(pairs, LANGUAGES, SETTINGS, tmp_path)
    header, first, second = read_lines(tmp_path / "source")
    assert header.split() == ["2", "2"] and first == second == "2 0 1"
    eflomal.align([("IŞIK", "IT"), ("ışık", "it")], ("tr", "en"), SETTINGS, tmp_path)
    assert read_lines(tmp_path / "source")[1:] == read_lines(tmp_path / "target")[1:] == ("1 0", "1 0")


@pytest.mark.process
def test_a_sentence_beyond_eflomals_limit_has_no_links(tmp_path: Path) -> None:
    long = " ".join("a" for _ in range(1024))
    done = eflomal.align([(long, "a"), ("a", "a")], LANGUAGES, SETTINGS, tmp_path)
    assert pharaoh.read(done.forward)[0] == pharaoh.read(done.reverse)[0] == []
    assert len(pharaoh.read(done.forward)) == 2


def test_a_missing_program_is_one_sentence_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eflomal, "NAME", "no-such-aligner")
    with pytest.raises(InputError, match=r"^the word aligner no-such-aligner is not installed; run `make setup`$"):
        eflomal.align([("a", "a")], LANGUAGES, SETTINGS, tmp_path)


BROKEN = {
    "gone": (None, "cannot be read .*pip install --no-deps"),
    "another": ("#!/bin/sh\n", "takes its seed in a way that is not known here; build it anew on this machine"),
    "failing": ("#!/bin/sh\necho cannot >&2; exit 3\n", r"ended with status 3 \(cannot\); build it anew"),
    "killed": ("#!/bin/sh\nkill -ILL $$\n", r"ended with status -4 \(it says nothing\); build it anew"),
    "short": ("#!/bin/sh\necho 0-0 | tee forward >reverse\n", "wrote 1 lines of 2; free some space"),
}


@pytest.mark.process
@pytest.mark.parametrize(("script", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_program_is_one_sentence_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, message: str
) -> None:
    if script is not None:
        seed = "" if "takes its seed" in message else "exit\n\0/dev/urandom\0"
        (tmp_path / "program").write_text(script + seed)
    monkeypatch.setattr(eflomal, "PROGRAM", tmp_path / "program")
    with pytest.raises(InputError, match=message):
        eflomal.align([("a", "a"), ("b", "b")], LANGUAGES, SETTINGS, tmp_path)
