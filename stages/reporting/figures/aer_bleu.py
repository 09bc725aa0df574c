"""Alignment error against BLEU, a labelled point a system, with a close-up of where most of them are."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.caption import Caption
from stages.reporting.figures.families import family_of, present
from stages.reporting.figures.layout import blank, family_legend, ring
from stages.reporting.figures.scatter import Point, crowd, draw_points, margins, outline
from stages.reporting.study_results import StudyResults
from stages.reporting.style import MUTED

WIDTH, OVERVIEW, CLOSE_UP, LEGEND = 7.2, 2.8, 4.6, 1.2
"""Inches."""

ALIGNERS = {"color": MUTED, "linestyle": (0, (1, 2)), "linewidth": 1.0}


def caption(study: StudyResults) -> Caption:
    points = points_of(study)
    means = ["Markers show the family"]
    means += ["the ring the baseline"] if study.asked.compare.baseline in {point.variant for point in points} else []
    means += ["error bars the standard deviation over the seeds"] if len(study.asked.seeds) > 1 else []
    means += ["dotted lines the statistical aligners"] if study.aligners["aer"].notna().any() else []
    close = points and len(crowd(points)) < len(points)
    return Caption(
        "Alignment error against BLEU",
        "A point a system: alignment error rate of the gold set (to the left is better) against BLEU of the first "
        f"test set (up is better). {', '.join(means)}"
        + ("; the lower panel enlarges what the frame in the upper one holds." if close else "."),
    )


def aer_bleu(study: StudyResults) -> Figure | None:
    """None without a system that has an alignment error rate."""
    points = points_of(study)
    if not points:
        return None
    inner = crowd(points)
    close = len(inner) < len(points)
    heights = (OVERVIEW, CLOSE_UP) if close else (CLOSE_UP,)
    total = sum(heights) + 0.55 * len(heights) + LEGEND
    figure = blank(WIDTH, total)
    rates = list(study.aligners["aer"].dropna())
    panels: list[Axes] = []
    top = total - 0.1
    for height in heights:
        panels.append(figure.add_axes((0.55 / WIDTH, (top - height) / total, 1 - 0.75 / WIDTH, height / total)))
        top -= height + 0.55
    _limits(panels[0], points, rates)
    _limits(panels[-1], inner, [])
    baseline, outer = study.asked.compare.baseline, {point.variant for point in points if point not in inner}
    for axis in panels:
        shown = outer if close and axis is panels[0] else {point.variant for point in inner}
        low, high = axis.get_xlim()
        for rate in rates:
            if low <= rate <= high:
                axis.axvline(rate, zorder=0, **ALIGNERS)
        draw_points(axis, points, baseline, sorted(shown))
        axis.set_ylabel(f"BLEU on {study.text.tests[0]}")
    if close:
        outline(panels[0], panels[1])
    panels[-1].set_xlabel("AER on the gold set, percent (lower is better)")
    further = [Line2D([], [], label="statistical alignment (eflomal)", **ALIGNERS)] if rates else []
    named = baseline in {point.variant for point in points}
    there = present(point.family for point in points)
    family_legend(figure, there, [*([ring(baseline)] if named else []), *further], LEGEND, columns=3)
    return figure


def points_of(study: StudyResults) -> list[Point]:
    """Of the systems that have both measures."""
    found = study.frame.dropna(subset=["aer", "bleu"])
    columns = (found[name] for name in ("aer", "bleu", "aer_sd", "bleu_sd"))
    families = [family_of(study.asked.models[name]) for name in found.index]
    return [Point(*row) for row in zip(found.index, *columns, families, strict=True)]


def _limits(axis: Axes, points: list[Point], rates: list[float]) -> None:
    axis.set_xlim(*margins([*(point.x for point in points), *rates], 0.06))
    axis.set_ylim(*margins([point.y for point in points], 0.08))
