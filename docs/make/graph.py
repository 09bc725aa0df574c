"""Graphs as the drawings have them: names in layers, and arrows that point from a layer to one below it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Arrow = tuple[str, str]


class Graph(NamedTuple):
    """layers: names from the top down; arrows: each from a name to one of a lower layer."""

    layers: list[list[str]]
    arrows: set[Arrow]


def below(arrows: Iterable[Arrow]) -> dict[str, set[str]]:
    """Name -> all that can be reached from it."""
    direct: dict[str, set[str]] = {}
    for start, end in arrows:
        direct.setdefault(start, set()).add(end)
        direct.setdefault(end, set())
    reached: dict[str, set[str]] = {}

    def visit(name: str, above: tuple[str, ...]) -> set[str]:
        if name in above:
            raise ValueError(f"these go round in a circle: {' -> '.join([*above, name])}")
        if name not in reached:
            reached[name] = direct[name].union(*(visit(one, (*above, name)) for one in sorted(direct[name])))
        return reached[name]

    for name in sorted(direct):
        visit(name, ())
    return reached


def reduced(arrows: Iterable[Arrow]) -> set[Arrow]:
    """The arrows but for those that a longer way of arrows says too.

    Raises:
        ValueError: the arrows go round in a circle.
    """
    kept = set(arrows)
    reached = below(kept)
    direct: dict[str, set[str]] = {}
    for start, end in kept:
        direct.setdefault(start, set()).add(end)
    return {(a, c) for a, c in kept if not any(c in reached[b] for b in direct[a] if b != c)}


def by_depth(names: Sequence[str], arrows: Iterable[Arrow]) -> list[list[str]]:
    """Layers in which every name stands as far up as the arrows allow; names of a layer keep their order."""
    arrows = set(arrows)
    before = {name: {a for a, b in arrows if b == name} for name in names}
    depth: dict[str, int] = {}
    while len(depth) < len(names):
        ready = [name for name in names if name not in depth and before[name] <= set(depth)]
        if not ready:
            raise ValueError(f"these go round in a circle: {', '.join(name for name in names if name not in depth)}")
        depth |= {name: max((depth[one] + 1 for one in before[name]), default=0) for name in ready}
    return [[name for name in names if depth[name] == level] for level in range(max(depth.values()) + 1)]
