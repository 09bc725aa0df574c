"""What quality costs: size, speed and time of training against BLEU, with the systems that nothing cheaper beats."""

from collections import Counter
from typing import Literal, NamedTuple

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from stages.reporting.figures.families import present
from stages.reporting.figures.layout import Caption, Grid, family_legend, ring, small_multiples
from stages.reporting.figures.scatter import LEAST_BLEU, Point, draw_points, margins, points_of, reaches
from stages.reporting.study_results import StudyResults
from stages.reporting.style import MUTED

WIDE, NARROW = (1, 2, 5), (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
"""Ticks of a decade."""

GRID = Grid(
    columns=1, width=6.6, height=2.3, right=0.15, below=0.5, margin_left=0.55, margin_top=0.1, margin_bottom=1.1
)


class Cost(NamedTuple):
    """A measure of metrics.json; unit: how many of it are 1 on the axis; timed: whether the machine decides on it."""

    measure: str
    title: str
    unit: float
    cheap: Literal["low", "high"]
    timed: bool = True


COSTS = (
    Cost("parameters", "parameters of the model, millions", 1e6, "low", timed=False),
    Cost("train_tokens_per_second", "target tokens trained per second, thousands", 1e3, "high"),
    Cost("wall_seconds", "wall time of training, without that of a model it is initialised from, minutes", 60.0, "low"),
)


def caption(study: StudyResults) -> Caption:
    spread = ", error bars the standard deviation over the seeds" if len(study.spec.seeds) > 1 else ""
    other = ""
    if elsewhere(study):
        other = (
            " Hollow are systems that were trained on another kind of machine (CPU, or which GPU) than most: their "
            "speed and time do not compare, and are no steps."
        )
    return Caption(
        "Cost against quality",
        "A point a system: BLEU of the first test set (up is better) against the size of its model and the speed and "
        "time of its training. The grey steps join the systems that nothing cheaper beats; markers show the family, "
        f"the ring the baseline{spread}. Only systems on the steps, and the baseline, are named.{other}",
    )


def bleu_by_cost(study: StudyResults) -> Figure | None:
    """A panel a measure; None if no system has any."""
    every = {one: points_of(study, one.measure, "bleu", one.unit) for one in COSTS}
    panels = [(one, found) for one, points in every.items() if (found := [point for point in points if point.x > 0])]
    if not panels:
        return None
    figure, axes = small_multiples(len(panels), GRID)
    baseline, others = study.spec.compare.baseline, elsewhere(study)
    for axis, (one, points) in zip(axes, panels, strict=True):
        hollow: frozenset[str] = others if one.timed else frozenset()
        best = front([point for point in points if point.variant not in hollow], one.cheap)
        axis.set_xscale("log")
        ends = [end for end in reaches(points, "x") if end > 0]
        low, high = min(ends), max(ends)
        axis.set_xlim(low / 1.08, high * 1.08)
        axis.set_ylim(*margins(reaches(points, "y"), 0.1, LEAST_BLEU))
        axis.xaxis.set_major_locator(LogLocator(subs=WIDE if high > 8 * low else NARROW, numticks=30))
        axis.xaxis.set_minor_locator(NullLocator())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        across, up = [point.x for point in best], [point.y for point in best]
        axis.step(across, up, where="post", color=MUTED, linewidth=0.8, zorder=1)  # from the cheapest on
        draw_points(axis, points, baseline, [point.variant for point in best] + [baseline], hollow)
        axis.set_xlabel(f"{one.title} ({'less' if one.cheap == 'low' else 'more'} is cheaper)")
        axis.set_ylabel(f"BLEU on {study.text.tests[0]}")
    line = Line2D([], [], color=MUTED, linewidth=0.8, label="nothing cheaper is better")
    drawn = [point for _, points in panels for point in points]
    further = [*([ring(baseline)] if baseline in {point.variant for point in drawn} else []), line]
    if others:
        further.append(Line2D([], [], linestyle="none", marker="o", mfc="white", mec=MUTED, label="on another machine"))
    family_legend(figure, present(point.family for point in drawn), further, GRID.margin_bottom)
    return figure


def elsewhere(study: StudyResults) -> frozenset[str]:
    """The systems with a training on another GPU, or on none, than most trainings of the study."""
    on = {
        system.variant: {run.recipe.get("machine", {}).get("gpu") for run in system.runs}
        for system in study.systems
        if system.trained
    }
    usual = Counter(gpu for gpus in on.values() for gpu in gpus).most_common(1)
    return frozenset(name for name, gpus in on.items() if gpus != {usual[0][0]})


def front(points: list[Point], cheap: Literal["low", "high"]) -> list[Point]:
    """From the cheapest on, every point that is better than all cheaper ones."""
    ordered = sorted(points, key=lambda point: (point.x if cheap == "low" else -point.x, -point.y))
    best: list[Point] = []
    for point in ordered:
        if not best or point.y > best[-1].y:
            best.append(point)
    return best
