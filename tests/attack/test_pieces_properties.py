"""Byte pair encoding: whatever the words are, the pieces spell them again, by way of files too."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.segmenting.byte_pairs import Segmenter, learn
from stages.text.pieces import has_marks, merge_pieces
from stages.text.words import count_words
from tests.attack import strategies

read = strategies.lines.filter(lambda line: "\ufeff" not in line and not has_marks(line))  # as texts are read
texts = st.lists(read, min_size=1, max_size=8)


@given(train=texts, other=texts, merges=st.integers(1, 40), threshold=st.integers(0, 3))
@settings(deadline=None)
def test_pieces_spell_the_words_they_were_cut_from(tmp_path_factory, train, other, merges, threshold):
    folder = tmp_path_factory.mktemp("bpe")
    counts = count_words(train)
    try:
        codes = learn(counts, merges)
    except InputError as error:
        assert "nothing to merge" in str(error)
        return
    write_lines(folder / "codes", codes.splitlines())  # as the stage keeps them
    kept = "".join(f"{line}\n" for line in read_lines(folder / "codes"))  # as `make translate` reads them
    segmenters = [Segmenter(one, Counter(counts), threshold) for one in (codes, kept)]
    for line in train + other:
        cut, again = (segmenter.segment(line) for segmenter in segmenters)
        assert cut == again
        assert merge_pieces(cut.split(" ")) == line.split(" ")
        assert cut.split() == cut.split(" ")  # fairseq splits at any white space


@pytest.mark.parametrize("pieces", [["a@@"], ["@@"], ["@@", "@@"], ["a@@", "@@", "b"]])
def test_pieces_that_no_segmenter_makes_spell_something(pieces):
    assert "".join(merge_pieces(pieces)) == "".join(pieces).replace("@@", "")


def test_a_text_in_which_nothing_occurs_twice_is_refused():
    with pytest.raises(InputError, match="no two characters follow each other twice"):
        learn(Counter({"abc": 1}), 5)
