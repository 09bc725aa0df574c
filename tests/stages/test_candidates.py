"""The stage that writes the table of candidate words, in either direction."""

from pathlib import Path

import pytest

from stages import candidates
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines

FORWARD = {
    "w@@ ohnung": "house",
    "w@@ ohnung ist": "house",
    "ist rot": "re@@ d",
    "rot": "re@@ d",
    "w@@ ohnung ist rot": "re@@ d house",
}
REVERSE = {"re@@ d": "rot ist", "house": "w@@ ohnung ist", "re@@ d house": "w@@ ohnung ist rot"}


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
    assert list(read_lines(tmp_path / "table.tsv")) == sorted(f"{key}\t{words}" for key, words in expected.items())
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["0-1 1-2", ""])
    with pytest.raises(InputError, match=r"train\.gdfa, line 1: link 1-2"):
        candidates.candidates(*given, Path("other.tsv"))
    assert not (tmp_path / "other.tsv").exists()
