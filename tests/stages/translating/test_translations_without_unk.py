"""The file of translations without <unk>, whose lines name their sentences."""

import contextlib
import json
from pathlib import Path

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.scoring.inputs import read_text
from stages.scoring.vocabulary import known_rows
from stages.translating.evaluation import _without_unknown_pieces
from stages.translating.translations import read_no_unk
from tests.helpers import tiny
from tests.helpers.decoding import untrained

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer


def test_the_phrase_based_system_is_scored_on_the_same_sentences():
    """Those of systems are told by ids, those of SMT, which has no model, by the dictionaries' files."""
    with contextlib.chdir(tiny.study()):
        of_smt = known_rows(read_text(tiny.TEXT, "forward"), "test", tiny.BPE, tiny.DATA)
    system = untrained("rnnsearch_star")
    texts = [tiny.pieces("test", language) for language in (tiny.SOURCE, tiny.TARGET)]
    assert 0 < len(of_smt) < len(texts[0])
    assert of_smt == _without_unknown_pieces(system, *texts)


def write_no_unk(path: Path, *rows: object) -> None:
    record = {"source": ["a", "</s>"], "target": ["b", "</s>"], "attention": None, "positional": [-1, -1]}
    write_lines(path, [json.dumps(record | {"finished": True, "row": row}) for row in rows])


def test_reading_translations_without_unk(tmp_path):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, 1, 5)
    found = read_no_unk(path)
    assert list(found) == [1, 5] and found[5].target == ["b"]
    write_lines(path, [])
    assert read_no_unk(path) == {}


@pytest.mark.parametrize("rows", [(0, 0), (0, -1), (0, "1"), (0, None), (0, 1.5)])
def test_rows_that_are_no_rows(tmp_path, rows):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, *rows)
    with pytest.raises(InputError, match=r"no_unk\.jsonl, line 2: row .* run the evaluate stage again"):
        read_no_unk(path)


def test_translations_without_rows(tmp_path):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, 0)
    path.write_text(path.read_text().replace('"row"', '"place"'))
    with pytest.raises(InputError, match=r"line 1 lacks row"):
        read_no_unk(path)
