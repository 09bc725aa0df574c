"""Figures of one line a system: titles on the left, panels beside them, in the order of the report."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.reporting.figures.layout import blank
from stages.reporting.fonts import LATIN
from stages.reporting.style import INK, STRIPE

SIZE = 7
HEIGHT = 0.165
"""Inches of a row."""
HEADING: dict[str, Any] = {"fontfamily": LATIN, "fontweight": "bold"}
"""The Chinese font has no bold, and matplotlib would say so."""

TOP, BOTTOM, GAP, EDGE = 0.35, 0.75, 0.25, 0.08


def short_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Without the paper in parentheses at the end, unless two rows would then read the same."""
    short = {name: re.sub(r" \([^()]*\)$", "", title) for name, title in titles.items()}
    read = list(short.values())
    return {name: titles[name] if read.count(title) > 1 else title for name, title in short.items()}


def row_panels(
    titles: Sequence[str], widths: Sequence[float], headings: Collection[int] = ()
) -> tuple[Figure, list[Axes]]:
    """Panels of `widths` inches beside the titles. Row k is at y = k, from the top, with a stripe on every other.

    headings: the rows that only name what follows, in bold and without a stripe.
    """
    measure = blank(1, 1)
    fonts = [HEADING if row in headings else {} for row in range(len(titles))]
    extents = (
        measure.text(0, 0, title, fontsize=SIZE, **font).get_window_extent()
        for title, font in zip(titles, fonts, strict=True)
    )
    left = max(extent.width for extent in extents) / measure.dpi + 0.12 + EDGE
    inner = HEIGHT * len(titles)
    width, height = left + sum(widths) + GAP * (len(widths) - 1) + EDGE, TOP + inner + BOTTOM
    figure = blank(width, height)
    panels = []
    x = left
    for k, panel in enumerate(widths):
        axis = figure.add_axes((x / width, BOTTOM / height, panel / width, inner / height))
        axis.set_ylim(len(titles) - 0.5, -0.5)
        axis.set_yticks(range(len(titles)), titles if k == 0 else [""] * len(titles))
        axis.tick_params(axis="y", length=0, labelsize=SIZE, labelcolor=INK)
        axis.tick_params(axis="x", length=2, labelsize=7)
        axis.spines["left"].set_visible(False)
        for label, font in zip(axis.get_yticklabels(), fonts, strict=True):
            label.set(**font)
        for row in [row for row in range(len(titles)) if row not in headings][::2]:
            axis.axhspan(row - 0.5, row + 0.5, color=STRIPE, linewidth=0, zorder=0)
        panels.append(axis)
        x += panel + GAP
    return figure, panels
