"""The trees that carry states."""

from functools import partial
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.tree import keep_inactive, select_rows, steps_of, tree_map
from tests.helpers import support

close = partial(support.close, tolerance=1e-14)


class Pair(NamedTuple):
    left: tuple
    right: Tensor | None


def tree() -> tuple:
    return Pair((torch.arange(6).view(3, 2), ()), None), torch.arange(12).view(3, 2, 2)


def test_a_tree_keeps_its_form():
    pair, leaf = tree_map(lambda one, other: one + other, tree(), tree())
    assert isinstance(pair, Pair)
    assert pair.left[1] == () and pair.right is None
    close(pair.left[0], 2 * torch.arange(6).view(3, 2))
    close(leaf, 2 * torch.arange(12).view(3, 2, 2))


@pytest.mark.parametrize("other", [(Pair((), None),), (Pair((torch.zeros(1),), None), torch.zeros(1))])
def test_trees_of_different_forms_do_not_mix(other):
    with pytest.raises(ValueError, match="zip"):
        tree_map(torch.add, tree(), other)


def test_select_rows_repeats_and_drops():
    pair, leaf = select_rows(tree(), torch.tensor([2, 2, 0, 1]))
    assert pair.left[0].tolist() == [[4, 5], [4, 5], [0, 1], [2, 3]]
    assert leaf[:, 0, 0].tolist() == [8, 8, 0, 4]


def test_steps_of_hands_out_the_second_dimension():
    for step, (pair, leaf) in enumerate(steps_of(tree(), 2)):
        assert isinstance(pair, Pair)
        assert pair.left[0].tolist() == [step, 2 + step, 4 + step]
        assert pair.left[1] == () and pair.right is None
        close(leaf, tree()[1][:, step])
    assert steps_of((), 3) == [(), (), ()]
    assert steps_of(None, 2) == [None, None]


@pytest.mark.parametrize("steps", [1, 3])
def test_steps_of_trees_with_another_number_of_steps_are_refused(steps):
    with pytest.raises(ValueError):
        steps_of(tree(), steps)


def test_keep_inactive_freezes_rows():
    old = tree()
    new = tree_map(lambda leaf: leaf + 100, old)
    pair, leaf = keep_inactive(torch.tensor([True, False, True]), new, old)
    assert pair.left[0].tolist() == [[100, 101], [2, 3], [104, 105]]
    assert leaf[:, 1, 1].tolist() == [103, 7, 111]


def test_a_growing_state_cannot_be_frozen():
    with pytest.raises(ValueError, match="grows"):
        keep_inactive(torch.tensor([True]), torch.zeros(1, 3), torch.zeros(1, 2))
