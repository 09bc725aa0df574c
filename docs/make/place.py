"""Where the boxes of a layered graph stand and which way its arrows take (Sugiyama, Tagawa and Toda 1981).

An arrow over several layers gets a point in each layer between, so that it passes between boxes. Names keep their
layers; within a layer they are ordered so that few arrows cross, then moved to stand above what they point to.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from docs.make.graph import Graph

SWEEPS = 24
GAP = 18
POINT = 6  # width kept free for an arrow that passes
STRAIGHT = 8  # how much more a point than a box insists on its place, so that long arrows are straight

Node = str | tuple[str, str, int]
"""A name, or the point of an arrow in a layer."""


class Placed(NamedTuple):
    """x: the middle of every box; ways: for each arrow the x of its points from layer to layer, ends included."""

    x: dict[str, float]
    ways: dict[tuple[str, str], list[float]]
    width: float


def place(graph: Graph, widths: Mapping[str, int]) -> Placed:
    """Raises ValueError if an arrow does not point down."""
    rows, links = _with_points(graph)
    above = {node: [a for a, b in links if b == node] for row in rows for node in row}
    under = {node: [b for a, b in links if a == node] for row in rows for node in row}
    rows = _ordered(rows, above, under, links)
    half = {node: (widths[node] if isinstance(node, str) else POINT) / 2 for row in rows for node in row}
    x: dict[Node, float] = {}
    for row in rows:
        x |= _spread(row, [0.0] * len(row), half)
    for sweep in range(SWEEPS):
        near = (above, under)[sweep % 2]
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            centre = sum(x[node] for node in row) / len(row)
            rest = [x[node] if above[node] or under[node] else centre for node in row]
            wanted = [
                sum(x[one] for one in near[node]) / len(near[node]) if near[node] else stay
                for node, stay in zip(row, rest, strict=True)
            ]
            x |= _spread(row, wanted, half)
    left = min(x[node] - half[node] for node in x)
    x = {node: value - left for node, value in x.items()}
    ways = {
        (start, end): [x[start], *(x[point] for point in _points(graph, start, end)), x[end]]
        for start, end in sorted(graph.arrows)
    }
    boxes = {node: value for node, value in x.items() if isinstance(node, str)}
    return Placed(boxes, ways, max(x[node] + half[node] for node in x))


def _level(graph: Graph) -> dict[str, int]:
    return {name: level for level, layer in enumerate(graph.layers) for name in layer}


def _points(graph: Graph, start: str, end: str) -> list[Node]:
    level = _level(graph)
    return [(start, end, between) for between in range(level[start] + 1, level[end])]


def _with_points(graph: Graph) -> tuple[list[list[Node]], list[tuple[Node, Node]]]:
    """The layers with the points of long arrows, and the arrows cut at them."""
    level = _level(graph)
    rows: list[list[Node]] = [list(layer) for layer in graph.layers]
    links: list[tuple[Node, Node]] = []
    for start, end in sorted(graph.arrows):
        if level[start] >= level[end]:
            raise ValueError(f"{start} -> {end} does not point down")
        points = _points(graph, start, end)
        for point in points:
            rows[point[2]].append(point)
        links += pairwise([start, *points, end])
    return rows, links


def _ordered(rows, above, under, links) -> list[list[Node]]:
    """The rows in the order with the fewest crossings that sweeps of means of neighbours find."""
    best, fewest = rows, _crossings(rows, links)
    for sweep in range(SWEEPS):
        near = (above, under)[sweep % 2]
        place = {node: k for row in rows for k, node in enumerate(row)}
        new = []
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            mean = {n: sum(place[o] for o in near[n]) / len(near[n]) if near[n] else place[n] for n in row}
            row = sorted(row, key=lambda node: (mean[node], place[node]))
            place |= {node: k for k, node in enumerate(row)}
            new.append(row)
        rows = new if sweep % 2 == 0 else new[::-1]
        if (count := _crossings(rows, links)) < fewest:
            best, fewest = rows, count
    return best


def _crossings(rows, links) -> int:
    place = {node: (level, k) for level, row in enumerate(rows) for k, node in enumerate(row)}
    by_level: dict[int, list[tuple[int, int]]] = {}
    for a, b in links:
        by_level.setdefault(place[a][0], []).append((place[a][1], place[b][1]))
    return sum(
        (a - c) * (b - d) < 0 for level in by_level.values() for k, (a, b) in enumerate(level) for c, d in level[:k]
    )


def _spread(row: Sequence[Node], wanted: Sequence[float], half: Mapping[Node, float]) -> dict[Node, float]:
    """The positions nearest to the wanted ones, by weighted squares, at which boxes in this order do not touch."""
    offset, at = [], 0.0
    for k, node in enumerate(row):
        at += half[row[k - 1]] + half[node] + GAP if k else 0.0
        offset.append(at)
    blocks: list[tuple[float, int, int]] = []  # of neighbours that push each other: mean, weight, how many they are
    for node, want, off in zip(row, wanted, offset, strict=True):
        mean, weight, count = want - off, 1 if isinstance(node, str) else STRAIGHT, 1
        while blocks and blocks[-1][0] > mean:
            other, heavy, others = blocks.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight, count = weight + heavy, count + others
        blocks.append((mean, weight, count))
    free = [mean for mean, _, count in blocks for _ in range(count)]
    return {node: value + off for node, value, off in zip(row, free, offset, strict=True)}
