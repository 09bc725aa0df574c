"""Alignment error against BLEU, a labelled point a system, with a close-up of where most of them are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.families import present
from stages.reporting.figures.labels import top_labels
from stages.reporting.figures.layout import Caption, blank, family_legend, ring
from stages.reporting.figures.scatter import (
    LEAST_AER,
    LEAST_BLEU,
    Point,
    crowd,
    draw_points,
    margins,
    outline,
    points_of,
    reaches,
)
from stages.reporting.study_results import StudyResults
from stages.reporting.style import MUTED

WIDTH, OVERVIEW, CLOSE_UP, LEGEND = 7.2, 2.8, 4.6, 1.2
BELOW, FREE, NAMES = 0.55, 0.1, 1.35
"""Inches; the last three below a panel, and above one without and with names of aligners."""

Aligner = tuple[str, float]

ALIGNERS: dict[str, Any] = {"color": MUTED, "linestyle": (0, (1, 2)), "linewidth": 1.0}


class View(NamedTuple):
    """A panel: its limits, its height and what is free above it in inches, and the aligners that it shows."""

    across: tuple[float, float]
    up: tuple[float, float]
    height: float
    above: float
    lines: list[Aligner]


def caption(study: StudyResults) -> Caption:
    points = points_of(study, "aer", "bleu")
    means = ["Markers show the family"]
    means += ["the ring the baseline"] if study.spec.compare.baseline in {point.variant for point in points} else []
    means += ["error bars the standard deviation over the seeds"] if len(study.spec.seeds) > 1 else []
    means += ["dotted lines the statistical aligners, named above"] if _aligners(study) else []
    close = len(_inner(points)) < len(points)
    return Caption(
        "Alignment error against BLEU",
        "A point a system: alignment error rate of the gold set (to the left is better) against BLEU of the first "
        f"test set (up is better). {', '.join(means)}"
        + ("; the lower panel enlarges what the frame in the upper one holds." if close else "."),
    )


def aer_bleu(study: StudyResults) -> Figure | None:
    """None without a system that has an alignment error rate."""
    points = points_of(study, "aer", "bleu")
    if not points:
        return None
    inner = _inner(points)
    close = len(inner) < len(points)
    aligners = _aligners(study)
    views = [_view(points, aligners, OVERVIEW if close else CLOSE_UP)]
    if close:
        views.append(_view(inner, [], CLOSE_UP, aligners))
    total = sum(view.above + view.height + BELOW for view in views) + LEGEND
    figure = blank(WIDTH, total)
    panels: list[Axes] = []
    top = total
    for view in views:
        top -= view.above + view.height
        axis = figure.add_axes((0.55 / WIDTH, top / total, 1 - 0.75 / WIDTH, view.height / total))
        axis.set(xlim=view.across, ylim=view.up)
        panels.append(axis)
        top -= BELOW
    baseline, outer = study.spec.compare.baseline, {point.variant for point in points if point not in inner}
    for axis, view in zip(panels, views, strict=True):
        shown = outer if close and axis is panels[0] else {point.variant for point in inner}
        for _, rate in view.lines:
            axis.axvline(rate, zorder=0, **ALIGNERS)
        top_labels(axis, view.lines)
        draw_points(axis, points, baseline, sorted(shown))
        axis.set_ylabel(f"BLEU on {study.text.tests[0]}")
    if close:
        outline(panels[0], panels[1])
    panels[-1].set_xlabel("AER on the gold set, percent (lower is better)")
    further = [Line2D([], [], label="statistical alignment", **ALIGNERS)] if aligners else []
    named = baseline in {point.variant for point in points}
    there = present(point.family for point in points)
    family_legend(figure, there, [*([ring(baseline)] if named else []), *further], LEGEND)
    return figure


def _aligners(study: StudyResults) -> list[Aligner]:
    """Of the statistical aligners, as main.csv names them, their alignment error rates."""
    rates = study.aligners["aer"].dropna()
    return [(str(name).replace("_", " "), float(rate)) for name, rate in rates.items()]


def _inner(points: list[Point]) -> list[Point]:
    """The crowd, and what else lies among it and its error bars."""
    inner: list[Point] = []
    more = crowd(points)
    while len(more) > len(inner):
        inner, view = more, _view(more, [], CLOSE_UP)
        (left, right), (low, high) = view.across, view.up
        more = [point for point in points if left <= point.x <= right and low <= point.y <= high]
    return inner


def _view(points: list[Point], held: list[Aligner], height: float, others: Sequence[Aligner] = ()) -> View:
    """That holds `points` and the lines `held`, and of `others` those that happen to be there."""
    left, right = margins([*reaches(points, "x"), *(rate for _, rate in held)], 0.06, LEAST_AER)
    lines = [*held, *(one for one in others if left <= one[1] <= right)]
    up = margins(reaches(points, "y"), 0.08, LEAST_BLEU)
    return View((left, right), up, height, NAMES if lines else FREE, lines)
