"""Systems as points: marker and colour say the family, labels which system."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from stages.reporting.figures.families import Family, family_of
from stages.reporting.figures.labels import point_labels
from stages.reporting.study_results import StudyResults
from stages.reporting.style import INK, MUTED

RADIUS = 3.0
"""Of a marker, points."""

FEWEST = 10
"""Points that are worth a close-up."""

FENCE = 1.0

LEAST_BLEU, LEAST_AER = 2.0, 5.0
"""What an axis spans at least: a tenth of a point is not to look like a gulf."""


class Point(NamedTuple):
    """A system; the deviations over the seeds are nan where there is one seed."""

    variant: str
    x: float
    y: float
    x_sd: float
    y_sd: float
    family: Family


def points_of(study: StudyResults, x: str, y: str, unit: float = 1) -> list[Point]:
    """Of the systems that have both measures; unit: how many of x are 1 on the axis."""
    found = study.frame.dropna(subset=[x, y])
    columns = (found[x] / unit, found[y], found[f"{x}_sd"] / unit, found[f"{y}_sd"])
    families = [family_of(study.spec.models[name]) for name in found.index]
    return [Point(*row) for row in zip(found.index, *columns, families, strict=True)]


def draw_points(
    axis: Axes, points: Sequence[Point], baseline: str, labelled: Sequence[str], hollow: Collection[str] = ()
) -> None:
    """Points inside the limits, which must be set; a ring marks the baseline, `labelled` are the variants to name,
    `hollow` those whose markers are not filled."""
    (left, right), (low, high) = sorted(axis.get_xlim()), sorted(axis.get_ylim())
    inside = [point for point in points if left <= point.x <= right and low <= point.y <= high]
    for point in inside:
        family = point.family
        fill: dict[str, Any] = {"mfc": "white", "mec": family.color} if point.variant in hollow else {"mec": "white"}
        axis.errorbar(
            point.x, point.y, xerr=None if np.isnan(point.x_sd) else point.x_sd,
            yerr=None if np.isnan(point.y_sd) else point.y_sd, marker=family.marker, linestyle="none",
            color=family.color, ecolor=family.color, elinewidth=0.6,
            markersize=(3 if family.marker == "*" else 2) * RADIUS, mew=0.4, zorder=3, **fill,
        )  # fmt: skip
        if point.variant == baseline:
            axis.plot(point.x, point.y, "o", markersize=4.0 * RADIUS, mfc="none", mec=INK, mew=0.8, zorder=3)
    named = [point for point in inside if point.variant in labelled]
    others = [(point.x, point.y) for point in inside if point.variant not in labelled]
    point_labels(axis, [point.variant for point in named], [(point.x, point.y) for point in named], others, RADIUS)
    axis.tick_params(labelsize=7, length=2)
    axis.grid(visible=True)
    axis.set_axisbelow(True)


def reaches(points: Iterable[Point], axis: Literal["x", "y"]) -> list[float]:
    """The values of the points and both ends of their error bars."""
    found = []
    for point in points:
        value, deviation = getattr(point, axis), getattr(point, f"{axis}_sd")
        found += [value] if np.isnan(deviation) else [value - deviation, value, value + deviation]
    return found


def margins(values: Sequence[float], share: float, least: float) -> tuple[float, float]:
    """Limits that leave `share` of the range free on both sides and are at least `least` apart."""
    low, high = min(values), max(values)
    free = max(share * (high - low), (least - (high - low)) / 2)
    return low - free, high + free


def crowd(points: Sequence[Point]) -> list[Point]:
    """The points at most `FENCE` interquartile ranges outside the quartiles on both axes; all if these are too few."""
    if len(points) < FEWEST:
        return list(points)
    values = np.array([(point.x, point.y) for point in points])
    low, high = np.percentile(values, [25, 75], axis=0)
    reach = FENCE * (high - low)
    within = ((values >= low - reach) & (values <= high + reach)).all(axis=1)
    inner = [point for point, kept in zip(points, within, strict=True) if kept]
    return inner if len(inner) >= FEWEST else list(points)


def outline(axis: Axes, of: Axes) -> None:
    """In `axis`, the frame of what `of` shows."""
    (left, right), (low, high) = of.get_xlim(), of.get_ylim()
    axis.plot([left, right, right, left, left], [low, low, high, high, low], color=MUTED, linewidth=0.7, zorder=1)
