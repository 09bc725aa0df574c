"""Where the labels of a figure stand, so that none lies on another."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from stages.reporting.style import INK

SIZE = 6.5
"""Points."""

POINT = 1 / 72
"""Inches."""

DIRECTIONS = np.array([(np.cos(angle), np.sin(angle)) for angle in np.arange(16) * np.pi / 8])
REACHES = (5, 9, 14, 20, 27, 36, 47, 60, 76, 95)
"""Distances of a label from its point that are tried, in points."""

FREE = 6
"""Points between a marker and its label that need no leader."""

LIFT = 8
"""Points between the upper edge of a panel and the labels above it."""

LEADER = "#8f8f8f"
PAPER: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.8}
"""Behind a label, so that lines do not strike it through."""

Point = Sequence[float] | np.ndarray
"""x and y."""

ON_LABEL, ON_MARKER, ON_LEADER = 1e5, 300.0, 100.0
"""What it costs a label to lie on a label, a marker or a leader; a point of distance costs 1."""

LEADER_ON_LABEL, LEADER_ON_MARKER = 300.0, 30.0
"""What it costs its leader."""

NEARER, NEARER_LED = 200.0, 15.0
"""What it costs a label that another marker is as near to it as its own: without a leader, and with one."""


class End(NamedTuple):
    """The right end of a line, in data coordinates, and what to write beside it."""

    text: str
    x: float
    y: float
    color: str


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions in the order of `wanted` and nearest to it (least squares), `gap` apart, within `low` to `high`.

    Where there is no room for all, those on top lie above `high`.
    """
    order, steps = np.argsort(wanted, kind="stable"), gap * np.arange(len(wanted))
    starts = isotonic_regression(np.asarray(wanted)[order] - steps).x if len(order) else steps
    placed = np.empty(len(order))
    placed[order] = np.maximum(low, np.minimum(starts, high - gap * (len(order) - 1))) + steps
    return placed.tolist()


def end_labels(axis: Axes, ends: Sequence[End]) -> None:
    """Labels to the right of `axis`, each as near the end of its line as the others let it. The limits must be set."""
    box = axis.get_window_extent()
    gap = 1.25 * SIZE * POINT * axis.figure.dpi
    wanted = [axis.transData.transform((end.x, end.y))[1] - box.y0 for end in ends]
    for end, height in zip(ends, spread(wanted, gap, gap / 2, box.height - gap / 2), strict=True):
        start = axis.transAxes.inverted().transform(axis.transData.transform((end.x, end.y)))
        stop = (1.06, height / box.height)
        axis.figure.add_artist(_leader_line(axis, start, stop, end.color))
        axis.text(stop[0] + 0.01, stop[1], end.text, transform=axis.transAxes, va="center", fontsize=SIZE, color=INK)


def top_labels(axis: Axes, lines: Sequence[tuple[str, float]]) -> None:
    """Turned labels above `axis`, each as near above its vertical line (text, x) as the others let it. The limits must
    be set."""
    box = axis.get_window_extent()
    point = POINT * axis.figure.dpi
    gap = 1.25 * SIZE * point
    to_axes = axis.transAxes.inverted()
    starts = [to_axes.transform(axis.transData.transform((x, 0)))[0] for _, x in lines]
    placed = spread([start * box.width for start in starts], gap, gap / 2, box.width - gap / 2)
    for (text, _), start, place in zip(lines, starts, placed, strict=True):
        stop = (place / box.width, 1 + LIFT * point / box.height)
        axis.figure.add_artist(_leader_line(axis, (start, 1.0), stop, LEADER))
        style: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": SIZE, "color": INK}
        axis.text(stop[0], stop[1] + point / box.height, text, transform=axis.transAxes, **style)


def point_labels(
    axis: Axes,
    texts: Sequence[str],
    points: Sequence[tuple[float, float]],
    others: Sequence[tuple[float, float]],
    clearance: float,
) -> None:
    """A label at each of `points` (data coordinates), with a leader where it does not stand beside it.

    others: points without a label, which are kept free; clearance: radius of the markers in points. The limits must be
    set.
    """
    scale = POINT * axis.figure.dpi
    anchors, free = (axis.transData.transform(np.array(x, float).reshape(-1, 2)) / scale for x in (points, others))
    sizes = []
    for text in texts:
        label = axis.text(0, 0, text, fontsize=SIZE)
        extent = label.get_window_extent()
        label.remove()
        sizes.append(np.array((extent.width / scale, extent.height / scale)))
    box = axis.get_window_extent()
    bounds = np.array([(box.x0, box.y0), (box.x1, box.y1)]) / scale
    corners = place(anchors, np.array(sizes).reshape(-1, 2), free, bounds, clearance)
    to_axes = axis.transAxes.inverted()
    for text, anchor, corner, size in zip(texts, anchors, corners, sizes, strict=True):
        start, stop = _ends(anchor, corner, size, clearance)
        if np.hypot(*(stop - start)) > FREE:
            near, far = to_axes.transform(np.array([start, stop]) * scale)
            axis.add_artist(_leader_line(axis, near, far, LEADER))
        x, y = to_axes.transform(corner * scale)
        style: dict[str, Any] = {
            "fontsize": SIZE,
            "color": INK,
            "va": "bottom",
            "ha": "left",
            "bbox": PAPER,
            "zorder": 4,
        }
        axis.text(x, y, text, transform=axis.transAxes, **style)


def _ends(anchor: np.ndarray, corner: np.ndarray, size: np.ndarray, clearance: float) -> tuple[np.ndarray, np.ndarray]:
    """Of the leader: from the marker's edge to the nearest point of the label."""
    stop = np.clip(anchor, corner, corner + size)
    distance = max(float(np.hypot(*(stop - anchor))), clearance)
    return anchor + (stop - anchor) * clearance / distance, stop


def _leader_line(axis: Axes, start: Point, stop: Point, color: str) -> Line2D:
    """Between points of `axis`, as fractions of it."""
    ways = zip(start, stop, strict=True)
    return Line2D(*map(list, ways), transform=axis.transAxes, color=color, linewidth=0.5, zorder=2)


def place(anchors: np.ndarray, sizes: np.ndarray, free: np.ndarray, bounds: np.ndarray, clearance: float) -> np.ndarray:
    """Lower left corners (N, 2) of labels of `sizes` (N, 2) for `anchors` (N, 2), all in points.

    free: markers (M, 2) without a label; bounds: lower left and upper right corner of where labels may stand;
    clearance: radius of the markers. Greedy, the most crowded anchor first: of the places around it the cheapest.
    """
    corners = np.zeros_like(anchors)
    boxes = np.zeros((0, 4))
    leaders = np.zeros((0, 2))
    for k in _crowded_first(anchors):
        anchor, size = anchors[k], sizes[k]
        others = np.vstack([np.delete(anchors, k, axis=0), free])
        best, cost = anchor, np.inf
        for reach in REACHES:
            for direction in DIRECTIONS:
                corner = anchor + (reach + clearance) * direction + (direction - 1) / 2 * size
                if (corner < bounds[0]).any() or (corner + size > bounds[1]).any():
                    continue
                leader = _leader(anchor, corner, size)
                own, away = _distance(anchor, corner, size), _distance(others, corner, size)
                found = reach + (
                    ON_LABEL * _hits(corner - 1, corner + size + 1, boxes)
                    + LEADER_ON_LABEL * _inside(leader, boxes)
                    + ON_MARKER * _near(corner, corner + size, others, clearance)
                    + LEADER_ON_MARKER * _near(leader.min(axis=0), leader.max(axis=0), others, 0)
                    + ON_LEADER * _near(corner, corner + size, leaders, 1)
                    + (NEARER if own - clearance <= FREE else NEARER_LED) * int((away <= own).sum())
                )
                if found < cost:
                    best, cost = corner, found
            if cost <= reach:
                break
        corners[k] = best
        boxes = np.vstack([boxes, [*best, *(best + size)]])
        leaders = np.vstack([leaders, _leader(anchor, best, size)])
    return corners


def _crowded_first(anchors: np.ndarray) -> np.ndarray:
    """Indices by the mean distance to the five nearest others."""
    distances = np.sort(np.linalg.norm(anchors[:, None] - anchors[None], axis=2), axis=1)
    return np.argsort(distances[:, 1:6].mean(axis=1) if len(anchors) > 1 else np.zeros(len(anchors)), kind="stable")


def _leader(anchor: np.ndarray, corner: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Points (12, 2) on the way from the anchor to the nearest point of the label."""
    end = np.clip(anchor, corner, corner + size)
    return anchor + np.linspace(0, 1, 12)[:, None] * (end - anchor)


def _distance(points: np.ndarray, corner: np.ndarray, size: np.ndarray) -> np.ndarray:
    """From points (…, 2) to the nearest point of the label."""
    return np.linalg.norm(points - np.clip(points, corner, corner + size), axis=-1)


def _hits(low: np.ndarray, high: np.ndarray, boxes: np.ndarray) -> int:
    """How many of `boxes` (M, 4) overlap the box from `low` to `high`."""
    return int(((boxes[:, :2] < high) & (boxes[:, 2:] > low)).all(axis=1).sum())


def _inside(points: np.ndarray, boxes: np.ndarray) -> int:
    """How many of `boxes` hold one of `points`."""
    held = (points[:, None] > boxes[None, :, :2]) & (points[:, None] < boxes[None, :, 2:])
    return int(held.all(axis=2).any(axis=0).sum())


def _near(low: np.ndarray, high: np.ndarray, points: np.ndarray, clearance: float) -> int:
    """How many of `points` (M, 2) are within the box from `low` to `high`, `clearance` wider."""
    return int(((points > low - clearance) & (points < high + clearance)).all(axis=1).sum())
