"""Learning curves: dev BLEU and dev perplexity of every system over the epochs."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from stages.reporting.results import System
from stages.reporting.style import MUTED, Line, line_of


class Panel(NamedTuple):
    """One measure of the curve."""

    column: str
    title: str
    log: bool


PANELS = (Panel("dev_bleu", "BLEU on dev", log=False), Panel("dev_ppl", "Perplexity on dev", log=True))
LEGEND_COLUMNS = 2


def curves_frame(systems: Sequence[System]) -> pd.DataFrame:
    """All curves as one long table: variant, seed and the columns of `curve.csv`, systems and seeds in their order."""
    return pd.concat(
        [
            run.curve.assign(variant=system.variant, seed=run.seed)[["variant", "seed", *run.curve.columns]]
            for system in systems
            for run in system.runs
        ],
        ignore_index=True,
    )


def learning_curves(systems: Sequence[System]) -> Figure:
    """Dev BLEU and dev perplexity over epochs: mean over the seeds, band from their lowest to their highest, a dot at
    each checkpoint that was kept. The mean ends with the first seed that ends: later it would be of fewer seeds.
    """
    rows = ceil(len(systems) / LEGEND_COLUMNS)
    figure = Figure(figsize=(7.4, 3.1 + 0.19 * rows), layout="constrained")
    banded = any(len(system.runs) > 1 for system in systems)
    axes = figure.subplots(1, len(PANELS))
    for axis, panel in zip(axes, PANELS, strict=True):
        for rank, system in enumerate(systems):
            _draw(axis, panel, system, line_of(rank))
        _dress(axis, panel)
        axis.set_xlabel(
            "epoch (dot: the checkpoint kept" + ("; band: range over the seeds)" if banded else ")"), color=MUTED
        )
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3.4, columnspacing=3, fontsize=8
    )
    return figure


def _draw(axis: Axes, panel: Panel, system: System, line: Line) -> None:
    values = pd.concat([run.curve.set_index("epoch")[panel.column] for run in system.runs], axis=1).sort_index()
    mean = values.dropna().mean(axis=1)
    style = {"color": line.color, "solid_capstyle": "round", "dash_capstyle": "butt"}
    (drawn,) = axis.plot(mean.index, mean, label=system.title, linewidth=1.5, **style)
    if line.dashes:
        drawn.set_dashes(line.dashes)
    if len(system.runs) > 1:
        axis.fill_between(
            values.index, values.min(axis=1), values.max(axis=1), color=line.color, alpha=0.14, linewidth=0
        )
    for run in system.runs:
        kept = run.curve[run.curve["epoch"] == run.best_epoch]
        axis.plot(
            kept["epoch"], kept[panel.column], "o", color=line.color, markersize=4, mec="white", mew=0.7, zorder=3
        )


def _dress(axis: Axes, panel: Panel) -> None:
    axis.set_title(panel.title)
    axis.grid(axis="y")
    axis.set_axisbelow(True)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=7))
    axis.margins(x=0.02)
    if panel.log:
        axis.set_yscale("log")
        low, high = axis.get_ylim()
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 10 * low else range(1, 10)))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.yaxis.set_minor_locator(NullLocator())
    else:
        axis.set_ylim(bottom=0)
