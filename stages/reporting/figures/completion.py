"""Completion degree: how far each source word is translated after each target word (the idea of Xue et al. 2019).

The completion degree of source word j after target step t is sum_{i <= t} alpha_ij: the attention it got so far. Near 0
the word is still to be translated, near 1 it was translated once; what goes on growing is translated again. (Xue's
history keeps a learned vector in its place; the sum is what can be read off every system that attends.)
"""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from stages.reporting.chosen_sentences import Shown
from stages.reporting.figures.families import HISTORY, Families
from stages.reporting.figures.layout import Caption, Grid, note, small_multiples
from stages.reporting.fonts import drawable, no_font
from stages.reporting.heat_map import HeatMap
from stages.reporting.legible import PANELS, label_of, left_out
from stages.reporting.style import BASELINE, INK, MUTED, LineStyle, line_of
from stages.text.symbols import END

GRID = Grid(columns=4, width=1.55, height=0.85, right=0.18, below=0.42, margin_bottom=1.05)

WRAP = 110
"""Characters of a line of small print."""


def caption(baseline: bool, gold: bool) -> Caption:
    """baseline: whether it is drawn; gold: whether the sentence has gold links."""
    others = " and the baseline (thick grey)" if baseline else ""
    link = " at the gold link (triangle; hollow: possible only)" if gold else ""
    return Caption(
        "Completion of each source word",
        "A panel a source word: the attention that it got so far, over the target words, in the history models of Xue "
        f"et al. (2019){others}. Best is a curve that rises to 1{link} and stays there; one near 0 was left out, one "
        "that goes on rising was translated again.",
    )


def completion(shown: Shown, families: Families, baseline: str) -> Figure | None:
    """A panel a source word, over target steps: the history models of `shown` and the baseline. None without one."""
    histories = [name for name in shown.maps if families[name] is HISTORY]
    if not histories:
        return None
    names = [*([baseline] if baseline in shown.maps else []), *(name for name in histories if name != baseline)]
    maps = {name: shown.maps[name] for name in names}
    lines = {name: BASELINE if name == baseline else line_of(rank) for rank, name in enumerate(names)}
    degrees = {name: np.cumsum(each.weights, axis=0) for name, each in maps.items()}
    source = [word for word in maps[names[0]].source if word != END]
    words = [drawable(label_of(word)) for word in source[:PANELS]]
    figure, panels = small_multiples(len(words), GRID)
    top = max(1.2, *(float(degree[:, : len(words)].max()) for degree in degrees.values()))
    for j, (axis, word) in enumerate(zip(panels, words, strict=True)):
        _panel(axis, j, degrees, lines, maps)
        axis.set_ylim(0, top * 1.05)
        axis.set_title(f"{j + 1}  {word}", fontsize=8, pad=3)
        if j % GRID.columns:
            axis.tick_params(labelleft=False)
    _key(figure, lines, baseline, maps)
    if len({each.target for each in maps.values()}) == 1:
        target = maps[names[0]].target[:PANELS]
        steps = "  ".join(f"{i}\xa0{drawable(label_of(word))}" for i, word in enumerate(target, start=1))
        note(figure, "\n".join(wrap(f"Target words: {steps}", WRAP)), (0.1, 0.16))
    caption = shown.caption + left_out(PANELS, source, [each.target for each in maps.values()])
    if lacking := no_font(source):
        caption += f" · {lacking}"
    note(figure, f"Attention in all that a source word got, over target steps · {caption}", (0.1, 0))
    return figure


def _panel(
    axis: Axes, j: int, degrees: Mapping[str, np.ndarray], lines: Mapping[str, LineStyle], maps: Mapping[str, HeatMap]
) -> None:
    gold = next(iter(maps.values())).gold
    for source, target in sorted(gold.possible):
        if source == j:
            face = INK if (source, target) in gold.sure else "white"
            axis.plot(target + 1, 0, "^", color=INK, mfc=face, markersize=4.5, mew=0.8, clip_on=False, zorder=4)
    axis.axhline(1, color=MUTED, linewidth=0.5, zorder=1)
    for name, degree in degrees.items():
        steps = range(len(degree) + 1)
        width = 2.4 if lines[name] == BASELINE else 1.1
        axis.plot(steps, [0, *degree[:, j]], linewidth=width, **lines[name]._asdict())
    longest = max(len(degree) for degree in degrees.values())
    axis.set_xlim(0, longest)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axis.tick_params(labelsize=6.5, length=2)


def _key(figure: Figure, lines: Mapping[str, LineStyle], baseline: str, maps: Mapping[str, HeatMap]) -> None:
    handles = [
        Line2D([], [], linewidth=2.4 if name == baseline else 1.3, label=maps[name].title, **line._asdict())
        for name, line in lines.items()
    ]
    if next(iter(maps.values())).gold.possible:
        link: dict[str, Any] = {"linestyle": "none", "marker": "^", "color": INK, "markersize": 4.5}
        handles.append(Line2D([], [], label="gold link to this target word (hollow: possible only)", **link))
    figure.legend(
        handles=handles, loc="lower left", ncols=2, fontsize=7, handlelength=3, borderaxespad=0,
        bbox_to_anchor=(0.1 / figure.get_figwidth(), 0.5 / figure.get_figheight()),
    )  # fmt: skip
