"""Attention heat maps: source words across, target words down, gold links drawn in as outlined squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from stages.measures.gold import Gold
from stages.reporting.fonts import is_cjk
from stages.reporting.style import GOLD, INK, MUTED, RULE
from stages.translations import EOS

CELL = 0.21  # inches
GAP = 0.3  # inches between panels
LABEL_SIZE = 8
TITLE_SIZE = 10
COLORS = LinearSegmentedColormap.from_list("attention", ["#ffffff", "#c6dbef", "#6baed6", "#2171b5", "#08306b"])
SCALE = Normalize(0, 1)
DASHED = (0, (2.2, 1.6))
OUTLINE = {"fill": False, "edgecolor": GOLD, "joinstyle": "miter"}


@dataclass(frozen=True)
class HeatMap:
    """The attention of one system for one sentence.

    `weights`: (T, S) over target words and source words, `</s>` included if the words include it.
    `gold`: hand-made links, drawn as squares: solid where sure, dashed where possible only.
    """

    title: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: np.ndarray
    gold: Gold


def heat_maps(maps: Sequence[HeatMap], caption: str, columns: int) -> Figure:
    """Panels of the same source sentence, `columns` abreast; target words that all share stand once a row."""
    columns = min(columns, len(maps))
    shared = all(each.target == maps[0].target for each in maps)
    figure = Figure()
    FigureCanvasAgg(figure)
    left = max(_extent(figure, word, 0)[0] for each in maps for word in each.target) + 0.1
    top = max(_extent(figure, *_across(word))[1] for word in maps[0].source) + 0.1
    width = len(maps[0].source) * CELL
    strides = (width + GAP + (0 if shared else left), max(len(each.target) for each in maps) * CELL + top + 0.45)
    rows = ceil(len(maps) / columns)
    size = (left + strides[0] * columns, strides[1] * rows + 0.5)
    figure.set_size_inches(size)
    for k, each in enumerate(maps):
        row, column = divmod(k, columns)
        x, y = left + column * strides[0], size[1] - row * strides[1] - top - 0.3
        height = len(each.target) * CELL
        axes = figure.add_axes((x / size[0], (y - height) / size[1], width / size[0], height / size[1]))
        _draw(axes, each, words_down=column == 0 or not shared)
        title = _wrapped(figure, each.title, width)
        axes.text(0, 1 + (top + 0.06) / height, title, transform=axes.transAxes, fontsize=TITLE_SIZE, va="bottom")
    _key(figure, size, left, linked=any(each.gold.possible for each in maps), caption=caption)
    return figure


def _draw(axes: Axes, each: HeatMap, words_down: bool) -> None:
    axes.pcolormesh(each.weights, cmap=COLORS, norm=SCALE, edgecolors=RULE, linewidth=0.4)
    axes.set(xlim=(0, len(each.source)), ylim=(len(each.target), 0))
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3)
    axes.spines[:].set(visible=True, color=MUTED, linewidth=0.6)
    axes.set_xticks(np.arange(len(each.source)) + 0.5, [_across(word)[0] for word in each.source], fontsize=LABEL_SIZE)
    for label, word in zip(axes.get_xticklabels(), each.source, strict=True):
        label.set(rotation=_across(word)[1], linespacing=1.0, color=MUTED if word == EOS else INK)
    axes.set_yticks(np.arange(len(each.target)) + 0.5, each.target if words_down else [""] * len(each.target))
    for label, word in zip(axes.get_yticklabels(), each.target, strict=True):
        label.set(fontsize=LABEL_SIZE, color=MUTED if word == EOS else INK)
    for links, dashes in ((each.gold.possible - each.gold.sure, DASHED), (each.gold.sure, "solid")):
        for i, j in sorted(links):
            axes.add_patch(Rectangle((i + 0.1, j + 0.1), 0.8, 0.8, linestyle=dashes, linewidth=1.3, **OUTLINE))


def _key(figure: Figure, size: tuple[float, float], left: float, linked: bool, caption: str) -> None:
    """Below the panels: colour scale, the meaning of the squares and the caption."""
    axes = figure.add_axes((left / size[0], 0.3 / size[1], 0.9 / size[0], 0.09 / size[1]))
    bar = figure.colorbar(ScalarMappable(SCALE, COLORS), cax=axes, orientation="horizontal", ticks=[])
    bar.outline.set(linewidth=0.5, edgecolor=MUTED)
    line = {"fontsize": 7.5, "color": MUTED, "va": "center"}
    y = 0.345 / size[1]
    figure.text((left - 0.06) / size[0], y, "0", ha="right", **line)
    x = left + 0.96
    figure.text(x / size[0], y, "1  attention", **line)
    if linked:
        for text, dashes, offset in (("sure link", "solid", 0.85), ("possible link", DASHED, 1.6)):
            corner, sides = ((x + offset) / size[0], 0.29 / size[1]), (0.11 / size[0], 0.11 / size[1])
            place = {"transform": figure.transFigure}
            figure.add_artist(Rectangle(corner, *sides, linestyle=dashes, linewidth=1.1, **OUTLINE, **place))
            figure.text((x + offset + 0.17) / size[0], y, text, **line)
    figure.text(left / size[0], 0.12 / size[1], caption, **line)


def _across(word: str) -> tuple[str, int]:
    """A source word as its label and rotation: Chinese is written downwards, other words are turned."""
    return ("\n".join(word), 0) if is_cjk(word) or len(word) == 1 else (word, 90)


def _wrapped(figure: Figure, title: str, width: float) -> str:
    """The title in as many lines as `width` inches demand."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if _extent(figure, longer, 0, TITLE_SIZE)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines).strip()


def _extent(figure: Figure, text: str, rotation: int, size: float = LABEL_SIZE) -> tuple[float, float]:
    """Width and height of a text in inches."""
    label = figure.text(0, 0, text, fontsize=size, rotation=rotation, linespacing=1.0)
    box = label.get_window_extent(figure.canvas.get_renderer())
    label.remove()
    return box.width / figure.dpi, box.height / figure.dpi
