"""Attention heat maps: source words across, target words down, gold links drawn in as outlined squares."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from stages.measures.gold_links import Gold
from stages.reporting.fonts import drawable, is_cjk, no_font
from stages.reporting.legible import label_of, left_out, words_a_side
from stages.reporting.style import GOLD, INK, MUTED, RULE
from stages.text.symbols import END

COLORS = LinearSegmentedColormap.from_list("attention", ["#ffffff", "#c6dbef", "#6baed6", "#2171b5", "#08306b"])
SCALE = Normalize(0, 1)
BREAK = (np.nan, np.nan)
DOWNWARDS = str.maketrans("ー", "｜")
"""The mark of a long vowel stands upright where kana are written downwards."""
DASHED = (0, (2.2, 1.6))
OUTLINE: dict[str, Any] = {"fill": False, "edgecolor": GOLD, "joinstyle": "miter"}


class Size(NamedTuple):
    """Side of a cell and gap between panels in inches; words, titles and the key in points."""

    cell: float
    gap: float
    words: float
    titles: float
    key: float


LARGE = Size(cell=0.21, gap=0.3, words=8, titles=10, key=7.5)


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


def heat_maps(maps: Sequence[HeatMap], caption: str, columns: int, size: Size = LARGE) -> Figure:
    """Panels of the same source sentence, `columns` abreast; target words that all share stand once a row.

    Of longer sentences than can be read in a figure of bounded size the first words are drawn, which the caption says.
    """
    columns = min(columns, len(maps))
    shown = words_a_side(len(maps), size.cell)
    caption += left_out(shown, maps[0].source, [each.target for each in maps])
    if lacking := no_font(word for each in maps for word in (*each.source[:shown], *each.target[:shown])):
        caption += f" · {lacking}"
    maps = [_first(each, shown) for each in maps]
    shared = all(each.target == maps[0].target for each in maps)
    figure = Figure()
    FigureCanvasAgg(figure)
    words = {word for each in maps for word in each.target}
    left = max(_extent(figure, word, 0, size.words)[0] for word in sorted(words)) + 0.1
    top = max(_extent(figure, *_across(word), size.words)[1] for word in maps[0].source) + 0.1
    width = len(maps[0].source) * size.cell
    titles = [_wrapped(figure, each.title, width, size.titles) for each in maps]
    above = top + max(title.count("\n") + 1 for title in titles) * 1.25 * size.titles / 72
    strides = (
        width + size.gap + (0 if shared else left),
        max(len(each.target) for each in maps) * size.cell + above + 0.1,
    )
    rows = ceil(len(maps) / columns)
    inches = (left + strides[0] * columns, strides[1] * rows + 0.5)
    figure.set_size_inches(inches)
    for k, (each, title) in enumerate(zip(maps, titles, strict=True)):
        row, column = divmod(k, columns)
        x, y = left + column * strides[0], inches[1] - row * strides[1] - above
        height = len(each.target) * size.cell
        axes = figure.add_axes((x / inches[0], (y - height) / inches[1], width / inches[0], height / inches[1]))
        _draw(axes, each, column == 0 or not shared, size)
        axes.text(0, 1 + (top + 0.02) / height, title, transform=axes.transAxes, fontsize=size.titles, va="bottom")
    _key(figure, inches, left, any(each.gold.possible for each in maps), caption, size.key)
    return figure


def _first(each: HeatMap, shown: int) -> HeatMap:
    """The part of the first `shown` words of both sides."""
    gold = Gold(*(frozenset(link for link in links if max(link) < shown) for links in each.gold))
    source, target = (tuple(drawable(label_of(word)) for word in words[:shown]) for words in (each.source, each.target))
    return replace(each, source=source, target=target, weights=each.weights[:shown, :shown], gold=gold)


def _draw(axes: Axes, each: HeatMap, words_down: bool, size: Size) -> None:
    _draw_cells(axes, each.weights)
    axes.set(xlim=(0, len(each.source)), ylim=(len(each.target), 0))
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set(visible=True, color=MUTED, linewidth=0.6)
    axes.set_xticks(np.arange(len(each.source)) + 0.5, [_across(word)[0] for word in each.source], fontsize=size.words)
    for label, word in zip(axes.get_xticklabels(), each.source, strict=True):
        label.set(rotation=_across(word)[1], linespacing=1.0, color=MUTED if word == END else INK)
    axes.set_yticks(np.arange(len(each.target)) + 0.5, each.target if words_down else [""] * len(each.target))
    for label, word in zip(axes.get_yticklabels(), each.target, strict=True):
        label.set(fontsize=size.words, color=MUTED if word == END else INK)
    thick = 1.3 * (size.cell / LARGE.cell) ** 0.5
    for links, dashes in ((each.gold.possible - each.gold.sure, DASHED), (each.gold.sure, "solid")):
        for i, j in sorted(links):
            axes.add_patch(Rectangle((i + 0.1, j + 0.1), 0.8, 0.8, linestyle=dashes, linewidth=thick, **OUTLINE))


def _draw_cells(axes: Axes, weights: np.ndarray) -> None:
    """One pixel a cell, which keeps an SVG file small, and a grid over them."""
    height, width = weights.shape
    axes.imshow(weights, COLORS, SCALE, interpolation="none", zorder=1, aspect="auto", extent=(0, width, height, 0))
    across = [point for row in range(1, height) for point in ((0, row), (width, row), BREAK)]
    down = [point for column in range(1, width) for point in ((column, 0), (column, height), BREAK)]
    if across or down:
        axes.plot(*np.array(across + down).T, color=RULE, linewidth=0.3, zorder=1.5)


def _key(figure: Figure, size: tuple[float, float], left: float, linked: bool, caption: str, points: float) -> None:
    """Below the panels: colour scale, the meaning of the squares and the caption."""
    axes = figure.add_axes((left / size[0], 0.3 / size[1], 0.9 / size[0], 0.09 / size[1]))
    bar = figure.colorbar(ScalarMappable(SCALE, COLORS), cax=axes, orientation="horizontal", ticks=[])
    bar.outline.set(linewidth=0.5, edgecolor=MUTED)
    line: dict[str, Any] = {"fontsize": points, "color": MUTED, "va": "center"}
    y = 0.345 / size[1]
    figure.text((left - 0.06) / size[0], y, "0", ha="right", **line)
    x = left + 0.96
    figure.text(x / size[0], y, "1  attention", **line)
    if linked:
        for text, dashes, offset in (("sure link", "solid", 0.85), ("possible link", DASHED, 1.6)):
            corner, width, height = ((x + offset) / size[0], 0.29 / size[1]), 0.11 / size[0], 0.11 / size[1]
            box = {**OUTLINE, "transform": figure.transFigure}
            figure.add_artist(Rectangle(corner, width, height, linestyle=dashes, linewidth=1.1, **box))
            figure.text((x + offset + 0.17) / size[0], y, text, **line)
    figure.text(left / size[0], 0.12 / size[1], caption, **line)


def _across(word: str) -> tuple[str, int]:
    """A source word as its label and rotation: East Asian words are written downwards, others are turned."""
    return ("\n".join(word.translate(DOWNWARDS)), 0) if is_cjk(word) or len(word) == 1 else (word, 90)


def _wrapped(figure: Figure, title: str, width: float, points: float) -> str:
    """The title in as many lines as `width` inches demand."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if _extent(figure, longer, 0, points)[0] <= 0.96 * width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines).strip()


def _extent(figure: Figure, text: str, rotation: int, points: float) -> tuple[float, float]:
    """Width and height of a text in inches."""
    label = figure.text(0, 0, text, fontsize=points, rotation=rotation, linespacing=1.0)
    box = label.get_window_extent()
    label.remove()
    return box.width / figure.dpi, box.height / figure.dpi
