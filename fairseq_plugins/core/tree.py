"""Nested tuples of tensors: the states that the decoder carries, reorders and freezes without knowing their fields."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from torch import Tensor, where

Tree: TypeAlias = Any
"""A tensor, or a tuple (or NamedTuple) of trees; only who makes one knows its fields."""


def tree_map(function: Callable[..., Tensor], tree: Tree, *others: Tree) -> Tree:
    """Apply ``function`` to each tensor of ``tree`` (and the tensors at the same places of ``others``).

    ``()`` and ``None`` hold nothing and are kept.
    """
    if tree is None:
        return None
    if isinstance(tree, Tensor):
        return function(tree, *others)
    children = [tree_map(function, *nodes) for nodes in zip(tree, *others, strict=True)]
    return type(tree)(*children) if hasattr(tree, "_fields") else tuple(children)


def leaves(tree: Tree) -> list[Tensor]:
    """The tensors of ``tree``, in order."""
    if tree is None or isinstance(tree, Tensor):
        return [] if tree is None else [tree]
    return [leaf for node in tree for leaf in leaves(node)]


def with_leaves(tree: Tree, tensors: Iterable[Tensor]) -> Tree:
    """A tree like ``tree`` of ``tensors``, in the order of ``leaves``."""
    replacing = iter(tensors)
    return tree_map(lambda _: next(replacing), tree)


def select_rows(tree: Tree, rows: Tensor) -> Tree:
    """Every tensor of ``tree`` indexed along its first (batch) dimension by ``rows (B',)``."""
    return tree_map(lambda leaf: leaf.index_select(0, rows), tree)


def steps_of(tree: Tree, steps: int) -> list[Tree]:
    """The trees of steps 0 .. ``steps`` - 1 (dimension 1 of every tensor).

    Unbound once: indexing inside the loop would make each step's gradient a full-size tensor of zeros.
    """
    if tree is None or isinstance(tree, Tensor):
        return [None] * steps if tree is None else list(tree.unbind(1))
    children = [steps_of(node, steps) for node in tree]
    rows = zip(*children, strict=True) if children else [()] * steps
    return [type(tree)(*row) if hasattr(tree, "_fields") else tuple(row) for row in rows]


def keep_inactive(active: Tensor, new: Tree, old: Tree) -> Tree:
    """``new`` in the rows where ``active (B,)`` is true, ``old`` in the others."""

    def choose(fresh: Tensor, stale: Tensor) -> Tensor:
        if fresh.shape != stale.shape:
            raise ValueError(f"a state that grows ({stale.shape} -> {fresh.shape}) cannot be frozen row by row")
        return where(active.view(-1, *[1] * (fresh.dim() - 1)), fresh, stale)

    return tree_map(choose, new, old)
