"""The stage that writes the table of candidate words, in either direction."""

from pathlib import Path

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages import binarize, candidates
from stages.alignment.phrase_table import phrase_table
from stages.files.errors import InputError
from stages.files.text import write_lines

from fairseq.data import Dictionary

ALL = "{source: null, target: null}"
FORWARD = {
    "": "d house re@@",
    "w@@": "house",  # of the lexicon alone: neither piece is linked to house without the other
    "ohnung": "house",
    "w@@ ohnung": "house",
    "w@@ ohnung ist": "house",
    "ist rot": "re@@ d",
    "rot": "re@@ d\td re@@",  # of phrases and of the lexicon
    "w@@ ohnung ist rot": "re@@ d house",
}
REVERSE = {
    "": "ist ohnung rot w@@",
    "re@@": "rot",
    "d": "rot",
    "re@@ d": "rot ist",
    "house": "w@@ ohnung ist\tohnung w@@",
    "re@@ d house": "w@@ ohnung ist rot",
}


@pytest.mark.parametrize(("direction", "expected"), [("forward", FORWARD), ("reverse", REVERSE)])
def test_the_stage_writes_tokens_of_the_run(tmp_path, monkeypatch, direction, expected):
    """Links of words, in the direction of the corpus, become phrases of pieces in that of the run."""
    write_lines(tmp_path / "params.yaml", ["corpora: {toy: {corpus: {source: de, target: en}}}"])
    write_lines(tmp_path / "bpe" / "train.de", ["w@@ ohnung ist rot"] * 2)
    write_lines(tmp_path / "bpe" / "train.en", ["re@@ d house"] * 2)
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["0-1 2-0", ""])
    monkeypatch.chdir(tmp_path)
    given = ("toy", direction, Path("bpe"), Path("wordalign"))
    candidates.candidates(*given, Path("table.tsv"))
    lines = (tmp_path / "table.tsv").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(f"{key}\t{words}" for key, words in expected.items())
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["0-1 1-2", ""])
    with pytest.raises(InputError, match=r"train\.gdfa, line 1: link 1-2"):
        candidates.candidates(*given, Path("other.tsv"))
    assert not (tmp_path / "other.tsv").exists()


@pytest.mark.parametrize("joint", [False, True])
def test_frequent_words_are_those_of_the_target(tmp_path, monkeypatch, joint):
    """With a vocabulary of its own they are the first of the dictionary; those of a joint one count the source too."""
    source, target = ["b b b c c c a"] * 2, ["a d", "a c e"]
    segmentation = f"{{merges: 9, joint: {str(joint).lower()}, vocabulary_threshold: 0, word_vocabulary: {ALL}}}"
    toy = f"{{corpus: {{source: de, target: en}}, segmentation: {segmentation}}}"
    write_lines(tmp_path / "params.yaml", [f"corpora: {{toy: {toy}}}"])
    for name in ("train", "dev"):
        write_lines(tmp_path / "bpe" / f"{name}.de", source)
        write_lines(tmp_path / "bpe" / f"{name}.en", target)
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["", ""])
    monkeypatch.chdir(tmp_path)
    candidates.candidates("toy", "forward", Path("bpe"), Path("wordalign"), Path("table.tsv"))
    assert Path("table.tsv").read_text(encoding="utf-8") == "\ta c d e\n"
    binarize.binarize("toy", "bpe", Path("bpe"), ("de", "en"), Path("bin"))
    dictionary = Dictionary.load("bin/dict.en.txt")
    first = dictionary.symbols[dictionary.nspecial :][:4]
    assert first == ([*"cbad"] if joint else [*"acde"])


def test_a_word_keeps_the_best_of_phrases_and_of_the_lexicon():
    """x is linked to a alone once, and with y to b three times: no phrase pair says that b translates it."""
    sentences = [("x", "a", [(0, 0)]), *[("x y", "b c", [(0, 0), (1, 0)])] * 3]
    assert [*phrase_table(sentences)] == ["\tb c a", "x\ta\tb a", "x y\tb c", "y\tb"]


def test_a_word_has_at_most_twenty_words_of_either():
    table = dict(line.split("\t", 1) for line in phrase_table([("x", f"y{i}", [(0, 0)]) for i in range(30)]))
    phrases, lexicon = (column.split(" ") for column in table["x"].split("\t"))
    assert len(phrases) == len(lexicon) == 20
