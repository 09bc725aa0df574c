"""What is written below a figure, and panels at fixed places in inches: no layout engine, which takes seconds for many
panels and moves with the labels."""

from math import ceil
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.reporting.figures.families import Family
from stages.reporting.style import INK, MUTED


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
