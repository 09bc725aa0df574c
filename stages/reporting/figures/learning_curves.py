"""Learning curves of every system: a panel a family, the baseline in each, a label at the end of each line."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from stages.reporting.figures.families import Families, families_of, grouped, label_of
from stages.reporting.figures.labels import End, end_labels
from stages.reporting.figures.layout import Caption, Grid, note, small_multiples
from stages.reporting.figures.scatter import LEAST_BLEU, margins
from stages.reporting.results import SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.style import BASELINE, LineStyle, line_of

GRID = Grid(columns=3, width=1.3, height=1.3, right=1.7, below=0.62, margin_left=0.5)
TOGETHER = 8
"""Most lines of a panel beside the baseline's: their labels fill its height."""


class Quantity(NamedTuple):
    """A column of `curve.csv`; better: which way, in words."""

    column: str
    name: str
    title: str
    better: str
    log: bool


BLEU = Quantity("dev_bleu", "BLEU", "BLEU on dev", "higher is better", log=False)
PERPLEXITY = Quantity("dev_ppl", "perplexity", "Perplexity on dev", "lower is better, on a log scale", log=True)


class Curve(NamedTuple):
    """Over the epochs: the mean, which ends with the first seed that ends (later it would be of fewer seeds), the
    lowest and the highest seed, and the checkpoints that were kept, one (epoch, value) a seed."""

    mean: pd.Series
    low: pd.Series
    high: pd.Series
    kept: list[tuple[int, float]]


def curve_of(system: SystemResults, column: str) -> Curve:
    runs = [run.curve.set_index("epoch")[column] for run in system.runs]
    values = pd.concat(runs, axis=1).sort_index()
    kept = [
        (run.best_epoch, float(of[run.best_epoch]))
        for run, of in zip(system.runs, runs, strict=True)
        if run.best_epoch in of.index
    ]
    return Curve(values.dropna().mean(axis=1), values.min(axis=1), values.max(axis=1), kept)


def caption(study: StudyResults, quantity: Quantity) -> Caption:
    baseline = ", the baseline (thick grey) in each" if study.spec.compare.baseline in study.spec.titles else ""
    bands = ", bands the range over the seeds" if len(study.spec.seeds) > 1 else ""
    later = " Fine-tuned systems begin with a trained one and count their own epochs."
    later = later if {*study.spec.fine_tuned} - {*study.spec.decoded} else ""
    return Caption(
        f"Learning curves, {quantity.name}",
        f"{quantity.title} after each epoch, {quantity.better}. A panel a family{baseline}; dots are the checkpoints "
        f"that were kept{bands}.{later}",
    )


def of_study(study: StudyResults, quantity: Quantity) -> Figure:
    trained = [system for system in study.systems if system.trained and system.variant not in study.spec.decoded]
    return learning_curves(trained, families_of(study.spec.models), study.spec.compare.baseline, quantity)


def learning_curves(systems: Sequence[SystemResults], families: Families, baseline: str, quantity: Quantity) -> Figure:
    """One quantity over the epochs; all panels have the same scale of the quantity, each its own of the epochs."""
    curves = {system.variant: curve_of(system, quantity.column) for system in systems}
    groups = grouped({name: families[name] for name in curves}, TOGETHER)
    low = min(curve.low.min() for curve in curves.values())
    high = max(curve.high.max() for curve in curves.values())
    figure, panels = small_multiples(len(groups), GRID)
    for axis, group in zip(panels, groups, strict=True):
        drawn = [name for name in group.variants if name != baseline]
        last = max(curves[name].high.index.max() for name in {*drawn, baseline} & set(curves))
        axis.set_title(group.title, fontsize=8, pad=4)
        _dress(axis, quantity, (low, high), last)
        axis.set_xlabel("epoch", fontsize=7, labelpad=2)
        if axis in panels[:: GRID.columns]:  # further right the labels of the panel before have the place
            axis.set_ylabel(quantity.title, fontsize=7, labelpad=2)
        ends = []
        if baseline in curves:
            ends.append(_draw(axis, curves[baseline], baseline, BASELINE, width=2.6))
        for rank, name in enumerate(drawn):
            ends.append(_draw(axis, curves[name], label_of(name, families[name]), line_of(rank), width=1.2))
        end_labels(axis, ends)
    banded = any(len(system.runs) > 1 for system in systems)
    named = f" · thick grey line: {baseline}" if baseline in curves else ""
    meaning = f"{quantity.title} over epochs{named} · dot: the checkpoint kept"
    note(figure, meaning + (" · band: range over the seeds" if banded else ""), (GRID.margin_left, 0))
    return figure


def _draw(axis: Axes, curve: Curve, label: str, line: LineStyle, width: float) -> End:
    style: dict[str, Any] = {"solid_capstyle": "round", "dash_capstyle": "butt", **line._asdict()}
    axis.plot(curve.mean.index, curve.mean, linewidth=width, **style)
    if not curve.low.equals(curve.high):
        axis.fill_between(curve.low.index, curve.low, curve.high, color=line.color, alpha=0.18, linewidth=0)
    for epoch, value in curve.kept:
        axis.plot(epoch, value, "o", color=line.color, markersize=3.4, mec="white", mew=0.6, zorder=3)
    return End(label, float(curve.mean.index[-1]), float(curve.mean.iloc[-1]), line.color)


def _dress(axis: Axes, quantity: Quantity, limits: tuple[float, float], last: int) -> None:
    axis.grid(axis="y")
    axis.set_axisbelow(True)
    axis.tick_params(labelsize=7, length=2)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    low, high = limits
    if quantity.log:
        axis.set_yscale("log")
        axis.set_ylim(low / 1.06, high * 1.06)
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 10 * low else range(1, 10)))
        axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.yaxis.set_minor_locator(NullLocator())
    else:
        axis.set_ylim(*margins([low, high], 0.05, LEAST_BLEU))
    axis.set_xlim(0.8, last + 0.2)
