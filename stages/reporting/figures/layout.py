"""What is written below a figure, and panels at fixed places in inches, in a grid or beside a title a row: no layout
engine, which takes seconds for many panels and moves with the labels."""

import re
from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.families import Family
from stages.reporting.fonts import LATIN
from stages.reporting.style import INK, MUTED, STRIPE


class Caption(NamedTuple):
    """about: what is seen, which way is better, what marks and bands mean, of nothing that is not drawn; mirrors: the
    papers' figures that it is the counterpart of, "" if it has none. All text is plain."""

    title: str
    about: str
    mirrors: str = ""

    @property
    def text(self) -> str:
        """All of it, as sentences."""
        return f"{self.title}. {self.further}"

    @property
    def further(self) -> str:
        """What stands behind the title."""
        return f"{self.about} Counterpart of {self.mirrors}." if self.mirrors else self.about


class Grid(NamedTuple):
    """Inches: a panel's width and height, what lies right of and below it, and the margins of the figure."""

    columns: int
    width: float
    height: float
    right: float
    below: float
    margin_left: float = 0.45
    margin_top: float = 0.3
    margin_bottom: float = 0.0


def blank(width: float, height: float) -> Figure:
    """An empty figure that can measure text; inches."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def small_multiples(count: int, grid: Grid) -> tuple[Figure, list[Axes]]:
    """`count` panels, row by row."""
    columns = min(grid.columns, count)
    rows = ceil(count / columns)
    across, down = grid.width + grid.right, grid.height + grid.below
    width = grid.margin_left + columns * across
    height = grid.margin_top + rows * down + grid.margin_bottom
    figure = blank(width, height)
    panels = []
    for k in range(count):
        row, column = divmod(k, columns)
        left, top = grid.margin_left + column * across, height - grid.margin_top - row * down
        panels.append(
            figure.add_axes((left / width, (top - grid.height) / height, grid.width / width, grid.height / height))
        )
    return figure, panels


def family_legend(figure: Figure, families: list[Family], further: list[Line2D], y: float) -> None:
    """Markers of the families, their upper edge `y` inches above the figure's lower edge."""
    handles = [
        Line2D([], [], linestyle="none", marker=one.marker, color=one.color, markersize=5, mec="white", mew=0.4,
               label=one.title)
        for one in families
    ]  # fmt: skip
    figure.legend(
        handles=[*handles, *further], loc="upper center", ncols=3, fontsize=7, handletextpad=0.4,
        columnspacing=1.6, bbox_to_anchor=(0.5, y / figure.get_figheight()),
    )  # fmt: skip


def ring(baseline: str) -> Line2D:
    """The mark of the baseline in a legend."""
    style: dict[str, Any] = {"linestyle": "none", "marker": "o", "mfc": "none", "mec": INK, "markersize": 8}
    return Line2D([], [], label=f"{baseline}, the baseline", **style)


def note(figure: Figure, text: str, inches: tuple[float, float]) -> None:
    """A line of small print, its lower left corner at `inches`."""
    width, height = figure.get_size_inches()
    figure.text(inches[0] / width, inches[1] / height, text, fontsize=7, color=MUTED, va="bottom")


TITLE_SIZE = 7
ROW_HEIGHT = 0.165
"""Inches of a row."""
HEADING: dict[str, Any] = {"fontfamily": LATIN, "fontweight": "bold"}
"""The Chinese font has no bold, and matplotlib would say so."""

TOP, BOTTOM, GAP, EDGE = 0.35, 0.75, 0.25, 0.08


def short_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Without the paper in parentheses at the end, unless two rows would then read the same."""
    short = {name: re.sub(r" \([^()]*\)$", "", title) for name, title in titles.items()}
    read = list(short.values())
    return {name: titles[name] if read.count(title) > 1 else title for name, title in short.items()}


def lower_legend(figure: Figure, handles: Sequence[Line2D], columns: int, **style: Any) -> None:
    """In the middle below the panels."""
    style = {"fontsize": 7, "title_fontsize": 7, **style}
    figure.legend(
        handles=handles, loc="lower center", ncols=columns, bbox_to_anchor=(0.5, 0), borderaxespad=0.1, **style
    )  # fmt: skip


def interval(axis: Axes, ends: Sequence[float] | np.ndarray, row: float, color: str, width: float = 0.9) -> None:
    """The line from end to end."""
    axis.plot(ends, [row, row], color=color, linewidth=width, solid_capstyle="butt", zorder=2)


def diamond(size: float) -> dict[str, Any]:
    """The mark of what a paper prints."""
    return {"marker": "D", "linestyle": "none", "color": INK, "mfc": "white", "markersize": size}


def row_panels(
    titles: Sequence[str], widths: Sequence[float], headings: Collection[int] = ()
) -> tuple[Figure, list[Axes]]:
    """Panels of `widths` inches beside the titles. Row k is at y = k, from the top, with a stripe on every other.

    headings: the rows that only name what follows, in bold and without a stripe.
    """
    measure = blank(1, 1)
    fonts = [HEADING if row in headings else {} for row in range(len(titles))]
    extents = (
        measure.text(0, 0, title, fontsize=TITLE_SIZE, **font).get_window_extent()
        for title, font in zip(titles, fonts, strict=True)
    )
    left = max(extent.width for extent in extents) / measure.dpi + 0.12 + EDGE
    inner = ROW_HEIGHT * len(titles)
    width, height = left + sum(widths) + GAP * (len(widths) - 1) + EDGE, TOP + inner + BOTTOM
    figure = blank(width, height)
    panels = []
    x = left
    for k, panel in enumerate(widths):
        axis = figure.add_axes((x / width, BOTTOM / height, panel / width, inner / height))
        axis.set_ylim(len(titles) - 0.5, -0.5)
        axis.set_yticks(range(len(titles)), titles if k == 0 else [""] * len(titles))
        axis.tick_params(axis="y", length=0, labelsize=TITLE_SIZE, labelcolor=INK)
        axis.tick_params(axis="x", length=2, labelsize=7)
        axis.spines["left"].set_visible(False)
        for label, font in zip(axis.get_yticklabels(), fonts, strict=True):
            label.set(**font)
        for row in [row for row in range(len(titles)) if row not in headings][::2]:
            axis.axhspan(row - 0.5, row + 0.5, color=STRIPE, linewidth=0, zorder=0)
        panels.append(axis)
        x += panel + GAP
    return figure, panels
