"""Pieces and words."""

import pytest

from stages.text.detokenise import detokenise
from stages.text.pieces import has_marks, merge_pieces, word_starts


@pytest.mark.parametrize(
    ("pieces", "words", "starts"),
    [
        ("a@@ b c", ["ab", "c"], [0, 2]),
        ("x@@ y@@ z", ["xyz"], [0]),
        ("a b", ["a", "b"], [0, 1]),
        ("a b@@", ["a", "b"], [0, 1]),  # cut off inside a word
        ("<unk> a@@ <unk>", ["<unk>", "a<unk>"], [0, 1]),
        ("@@ a", ["a"], [0]),
        ("", [], []),
    ],
)
def test_pieces_to_words(pieces, words, starts):
    assert merge_pieces(pieces.split()) == words
    assert word_starts(pieces.split()) == starts


def test_detokenise_keeps_what_only_looks_like_an_escape():
    sentences = [line.split() for line in ("it 's a dog , isn 't it ?", "", "a &amp; b")]
    assert detokenise(sentences, "en") == ["it's a dog, isn't it?", "", "a &amp; b"]


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("a b@@", True),
        ("a@@ b", True),
        ("@@ b", True),
        ("@@a b", False),
        ("<pad> a", True),
        ("a </s>", True),
        ("<s> a", True),
        ("<unk> <b> <s>a", False),
    ],
)
def test_words_that_are_read_as_marks(line, cut):
    assert has_marks(line) == cut
