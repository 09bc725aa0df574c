"""From attention between pieces to attention between words, and from that to links."""

import numpy as np
import pytest

from stages.measures.hard_links import NO_LINK, link_set, strongest
from stages.measures.merge_attention import merge_attention
from tests.stages.measures.attentions import random_attention


def test_merge_example():
    pieces = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.1, 0.2, 0.7]])
    assert merge_attention(pieces, [0, 1], [0, 2]) == pytest.approx(np.array([[0.5, 0.5], [0.1, 0.9]]))


def test_merge_equals_its_definition_and_keeps_row_sums():
    rng = np.random.default_rng(0)
    source, target = [0, 1, 4], [0, 3, 4, 6]
    pieces = random_attention(rng, 7, 5)
    source_words = [range(0, 1), range(1, 4), range(4, 6)]
    target_words = [range(0, 3), range(3, 4), range(4, 6), range(6, 7)]
    expected = [[sum(pieces[i, j] for i in t for j in s) / len(t) for s in source_words] for t in target_words]
    words = merge_attention(pieces, source, target)
    assert words == pytest.approx(np.array(expected))
    assert words.sum(axis=1) == pytest.approx(np.ones(4))


def test_merge_of_whole_words_changes_nothing():
    attention = random_attention(np.random.default_rng(1), 3, 3)
    assert np.array_equal(merge_attention(attention, range(4), range(3)), attention)


@pytest.mark.parametrize(
    ("source", "target"), [([0, 3], [0]), ([1], [0]), ([], [0]), ([0], []), ([0, 2, 2], [0]), ([0], [0, 2])]
)
def test_merge_refuses_words_that_do_not_cover_the_pieces(source, target):
    with pytest.raises(ValueError):
        merge_attention(np.ones((2, 3)), source, target)


def test_merge_of_an_empty_target():
    assert merge_attention(np.zeros((0, 3)), [0, 2], []).shape == (0, 2)


# Links from attention


@pytest.mark.parametrize(
    ("row", "drop", "renorm"),
    [
        ((0.2, 0.5, 0.3), 1, 1),
        ((0.2, 0.3, 0.5), NO_LINK, 1),
        ((0.4, 0.4, 0.2), 0, 0),
        ((0.4, 0.2, 0.4), 0, 0),
        ((0.0, 0.0, 1.0), NO_LINK, NO_LINK),
        ((0.0, 0.0, 0.0), NO_LINK, NO_LINK),
    ],
)
def test_strongest_link_and_end_of_sentence(row, drop, renorm):
    attention = np.array([row])
    assert strongest(attention, "drop").tolist() == [drop]
    assert strongest(attention, "renorm").tolist() == [renorm]


def test_link_set_leaves_unaligned_words_out():
    assert link_set(np.array([3, NO_LINK, 0])) == {(3, 0), (0, 2)}  # source word, target word
