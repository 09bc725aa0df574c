"""Reading what the evaluate stage writes: pieces become words, and a line that does not fit is named."""

import math

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.text.symbols import END
from stages.translating.translations import read_translations
from tests.stages.scoring.toy_system import ATTENTION, PIECES, record, write_lines, write_records


def test_translation_is_merged_to_words(tmp_path):
    records = [record(*sentence) for sentence in zip(PIECES["de"], PIECES["en"], ATTENTION, strict=True)]
    write_records(tmp_path / "test.jsonl", records)
    first, second = read_translations(tmp_path / "test.jsonl")
    assert (first.source, first.target) == (["ab", "c"], ["AB", "C"])
    assert first.attention == pytest.approx(np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0, 0, 1]]))
    assert second.word_attention.shape == (1, 3)
    assert first.log_probabilities == [-0.5] * 3


def test_end_of_sentence_never_joins_a_broken_word(tmp_path):
    path = tmp_path / "x.jsonl"
    write_records(path, [record("a", "b c@@", [[1, 0], [0.5, 0.5], [0, 1]])])
    (translation,) = read_translations(path)
    assert translation.target == ["b", "c"]
    assert translation.attention.tolist() == [[1, 0], [0.5, 0.5], [0, 1]]


def test_unfinished_and_empty_translations(tmp_path):
    path = tmp_path / "x.jsonl"
    write_records(path, [record("a", "b", [[1, 0]], finished=False), record("a", "", [[0, 1]])])
    cut, empty = read_translations(path)
    assert (cut.target, cut.word_attention.tolist()) == (["b"], [[1, 0]])
    assert (empty.target, empty.word_attention.shape, empty.attention.shape) == ([], (0, 2), (1, 2))


GOOD = record("a b", "c", [[0.5, 0.5, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"attention": [[0.5, 0.5, 0]]}, "1 rows of attention for 2 target pieces"),
        ({"attention": [[0.5, 0.5], [0, 1]]}, "attention rows of .2. weights for 3 source pieces"),
        ({"attention": [[0.5, 0.5, 0], [1]]}, "attention rows of .1, 3. weights"),
        ({"attention": [[0.5, -0.5, 0], [0, 0, 1]]}, "must lie in"),
        ({"attention": [[0.5, math.nan, 0], [0, 0, 1]]}, "must lie in"),
        ({"attention": [["x", 0, 0], [0, 0, 1]]}, "convert"),
        ({"positional": [-0.5]}, "1 log probabilities for 2 target pieces"),
        ({"positional": [-0.5, -math.inf]}, "finite"),
        ({"finished": False}, "finished is False"),
        ({"source": {}}, "no lists of pieces"),
        ({"source": ["a", "b"]}, "does not end in </s>"),
        ({"attention": None}, "attention for some sentences only"),
        ({"attention": None, "target": ["<unk>", END], "attended": [2]}, r"1 unknown words attend to .2., of 2 source"),
        ({"attention": None, "target": ["<unk>", END], "attended": [0, 1]}, "1 unknown words attend to .0, 1."),
    ],
)
def test_bad_translation_names_file_and_fault(tmp_path, bad, message):
    path = tmp_path / "x.jsonl"
    write_records(path, [GOOD, {**GOOD, **bad}])
    with pytest.raises(InputError, match=message) as error:
        read_translations(path)
    assert str(path) in str(error.value)
    assert "line 2" in str(error.value) or "some sentences" in message


def test_translation_line_that_is_no_record(tmp_path):
    path = tmp_path / "x.jsonl"
    for line, message in (('{"source": [', "line 1 is not JSON"), ("[]", "line 1 lacks source"), ("", "line 1 is not")):
        write_lines(path, [line])
        with pytest.raises(InputError, match=message):
            read_translations(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(InputError, match=r"line 1 is not JSON.*utf-8"):
        read_translations(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read_translations(path)
    with pytest.raises(InputError, match=r"missing\.jsonl"):
        read_translations(tmp_path / "missing.jsonl")
