"""Forest plot: how far each system is from the baseline, with its 95 % interval."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.layout import Caption, interval, lower_legend, row_panels, short_titles
from stages.reporting.study_results import StudyResults
from stages.reporting.style import INK, MUTED
from stages.scoring.catalogue import COMPARED

WIDTH = 2.1
"""Inches of a panel."""
ALIGNMENT = "AER, gold set"


class Panel(NamedTuple):
    """entries: variant -> its comparison with the baseline, as comparisons.json has it; without the missing ones."""

    title: str
    better: Literal["high", "low", None]
    entries: dict[str, Mapping[str, Any]]


def caption(study: StudyResults) -> Caption:
    panels = [panel for panel in _panels(study) if panel.entries]
    links = any(panel.title == ALIGNMENT for panel in panels)
    measured = "its BLEU on each test set" + (" and its alignment error rate" if links else "")
    verb = "are" if links else "is"
    arrows = "; arrow heads are differences, or ends of intervals, beyond the scale"
    beyond = arrows if any(map(_reaches_beyond, panels)) else ""
    return Caption(
        "Differences to the baseline",
        f"A line a system: how far {measured} {verb} from the baseline's, with the 95 % interval of a paired "
        "bootstrap; the arrows below a panel say which side is better. Filled dots are significant after Holm's "
        f"correction, hollow ones are not{beyond}.",
    )


def effects(study: StudyResults) -> Figure | None:
    """BLEU of every test set and AER of the gold set; None if nothing was compared."""
    panels = [panel for panel in _panels(study) if panel.entries]
    if not panels:
        return None
    baseline = study.spec.compare.baseline
    names = [name for name in study.spec.titles if any(name in panel.entries for panel in panels)]
    titles = short_titles(study.spec.titles)
    figure, axes = row_panels([titles[name] for name in names], [WIDTH] * len(panels))
    for axis, panel in zip(axes, panels, strict=True):
        _draw(axis, panel, names, study.spec.compare.level)
    level = f"p ≤ {study.spec.compare.level:g} after Holm's correction"
    dots = [
        Line2D([], [], marker="o", color=INK, mfc=face, markersize=4.5, linewidth=0.9, label=label)
        for face, label in ((INK, level), ("white", "not significant"))
    ]
    if any(map(_reaches_beyond, panels)):
        arrow: dict[str, Any] = {"linestyle": "none", "marker": ">", "color": INK, "markersize": 4.5}
        dots.append(Line2D([], [], label="beyond the scale", **arrow))
    lower_legend(figure, dots, 3, title=f"difference to {titles[baseline]} with 95 % interval (paired bootstrap)")
    return figure


def _panels(study: StudyResults) -> list[Panel]:
    sets = study.compared["sets"]
    wanted = [(name, "bleu", f"BLEU, {name}") for name in study.text.tests]
    wanted += [("gold", "aer", ALIGNMENT)] if study.text.gold else []
    return [Panel(title, COMPARED[measure].better, _entries(sets[name][measure])) for name, measure, title in wanted]


def _entries(variants: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    found = {name: entry["baseline"] for name, entry in variants.items() if entry and entry["baseline"]}
    return {name: one for name, one in found.items() if None not in (one["difference"], one["low"], one["high"])}


def _draw(axis: Axes, panel: Panel, names: list[str], level: float) -> None:
    limit = _limit(panel)
    axis.set_xlim(-limit, limit)
    axis.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    for row, name in enumerate(names):
        if name not in panel.entries:
            continue
        one = panel.entries[name]
        significant = one["p_holm"] is not None and one["p_holm"] <= level
        face = INK if significant else "white"
        if _lies_beyond(one, limit):
            _beyond(axis, row, one["difference"], limit, face)
            continue
        ends = np.array([one["low"], one["high"]])
        interval(axis, ends.clip(-limit, limit), row, INK)
        for end in ends[abs(ends) > limit]:
            axis.plot(np.sign(end) * limit * 0.985, row, ">" if end > 0 else "<", color=INK, markersize=2.4, zorder=2)
        axis.plot(one["difference"], row, "o", color=INK, mfc=face, markersize=4.2, mew=0.9, zorder=3)
    axis.set_title(panel.title, fontsize=8, loc="center", pad=5)
    left, right = ("worse", "better") if panel.better == "high" else ("better", "worse")
    axis.set_xlabel(f"← {left}      {right} →", fontsize=7)


def _limit(panel: Panel) -> float:
    return scale([max(abs(one["low"]), abs(one["high"])) for one in panel.entries.values()])


def _lies_beyond(one: Mapping[str, Any], limit: float) -> bool:
    """Whether there is no room for a dot and the arrow at an end of its interval."""
    return abs(one["difference"]) > 0.9 * limit


def _reaches_beyond(panel: Panel) -> bool:
    limit = _limit(panel)
    return any(max(-one["low"], one["high"]) > limit or _lies_beyond(one, limit) for one in panel.entries.values())


def _beyond(axis: Axes, row: int, value: float, limit: float, face: str) -> None:
    """An arrow at the edge, and the value beside it."""
    sign = 1 if value > 0 else -1
    axis.plot(sign * limit * 0.97, row, ">" if sign > 0 else "<", color=INK, mfc=face, markersize=4.2, zorder=3)
    side: dict[str, Any] = {"ha": "right" if sign > 0 else "left", "va": "center", "fontsize": 6.5, "color": INK}
    axis.text(sign * limit * 0.9, row, f"{value:+.1f}".replace("-", "−"), **side)


def scale(reaches: list[float]) -> float:
    """Half the width of the axis: the largest of `reaches` that is at most three times their median."""
    middle = float(np.median(reaches))
    return 1.08 * max(reach for reach in reaches if reach <= 3 * middle) or 1.0
