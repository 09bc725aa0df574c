"""How every figure of a report looks, and how it is saved: the same bytes for the same data."""

import os
from io import BytesIO
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from stages.files.atomic import new_file
from stages.reporting.fonts import families
from stages.reporting.legible import bounded_dpi

INK = "#222222"
MUTED = "#6b6b6b"
RULE = "#e4e4e4"
GOLD = "#d55e00"
GREY = "#8a8a8a"
"""The baseline among lines in colour."""
OTHERS = "#d4d4d4"
"""What only stands behind the systems spoken of."""
STRIPE = "#f4f4f4"

# Okabe and Ito (2008), told apart with any colour blindness; without their yellow, which vanishes on white paper.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES = ((), (5, 1.6), (1.4, 1.4), (6, 1.6, 1.4, 1.6), (9, 2), (3, 1.2, 1.2, 1.2, 1.2, 1.2))


PRINT_DPI, SCREEN_DPI = 200, 110
"""Dots per inch: sharp on paper; and sharp enough for a page in git, in a third of the bytes."""


class LineStyle(NamedTuple):
    """Colour and dash pattern (points; empty = solid) of a system, as Matplotlib calls them."""

    color: str
    dashes: tuple[float, ...]


BASELINE = LineStyle(GREY, ())


def line_of(rank: int) -> LineStyle:
    """Of the system in row `rank` of the report; 42 lines are distinct, the neighbours in colour and in dashes."""
    turn, color = divmod(rank, len(PALETTE))
    return LineStyle(PALETTE[color], DASHES[(color + turn) % len(DASHES)])


def rc() -> dict[Any, Any]:
    """Matplotlib settings for `matplotlib.rc_context`."""
    return {
        "font.family": list(families()),
        "font.size": 9,
        "text.color": INK,
        "text.parse_math": False,
        "axes.edgecolor": MUTED,
        "axes.labelcolor": INK,
        "axes.labelsize": 8,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.grid": False,
        "grid.color": RULE,
        "grid.linewidth": 0.6,
        "xtick.color": MUTED,
        "ytick.color": MUTED,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.frameon": False,
        "figure.dpi": 100,
        "savefig.dpi": PRINT_DPI,
        "savefig.facecolor": "white",
        "image.composite_image": False,
        "svg.fonttype": "path",
        "svg.hashsalt": "report",
    }


TIGHT: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 0.08}


PNG_COLORS = 256
"""Enough for flat colours with soft edges, and a third of the bytes of true colour."""


SMALL = 100_000
"""Bytes of a figure in git, at most."""
FEWER_COLORS = (PNG_COLORS, 64, 24)
FEWER_DOTS = 0.85
"""What becomes of the dots per inch of a figure that is not small with the fewest colours."""


def save_png(figure: Figure, stem: Path, dpi: int) -> None:
    """Write `<stem>.png` without date or program version; with fewer dots per inch where it would be too large."""
    dots = bounded_dpi(figure.get_size_inches(), dpi)
    _write_png(_png(_drawn(figure, dots), PNG_COLORS, dots), stem)


def save_small(figure: Figure, stem: Path) -> None:
    """Write `<stem>.png` of at most `SMALL` bytes: of `SCREEN_DPI` or, where that is too large, in fewer colours, and
    then in fewer dots."""
    dpi = bounded_dpi(figure.get_size_inches(), SCREEN_DPI)
    while True:
        drawn = _drawn(figure, dpi)
        for colors in FEWER_COLORS:
            content = _png(drawn, colors, dpi, _of_maps(figure, colors))
            if len(content) <= SMALL:
                return _write_png(content, stem)
        # A figure of half the dots a side has at least a quarter of the bytes, so these steps in between are too large.
        for _ in range(max(1, int(log(len(content) / SMALL, FEWER_DOTS**-2)))):
            dpi = int(FEWER_DOTS * dpi)


def _drawn(figure: Figure, dpi: float) -> Image.Image:
    canvas = FigureCanvasAgg(figure)
    canvas.print_figure(os.devnull, format="raw", dpi=dpi, **TIGHT)
    drawn = canvas.renderer  # its pixels themselves: a PNG in between takes twice the memory
    pixels = Image.frombuffer("RGBA", (int(drawn.width), int(drawn.height)), drawn.buffer_rgba()).convert("RGB")
    canvas.renderer = None
    return pixels


def _png(drawn: Image.Image, colors: int, dpi: float, palette: Image.Image | None = None) -> bytes:
    """palette: that of the file; the one that suits what is drawn unless given."""
    content = BytesIO()
    # Where there are few colours, the usual method leaves out rare ones: the orange of a line becomes brown.
    method = Image.Quantize.MEDIANCUT if colors == PNG_COLORS else Image.Quantize.MAXCOVERAGE
    quantized = drawn.quantize(colors, method, palette=palette, dither=Image.Dither.NONE)
    quantized.save(content, format="PNG", optimize=True, dpi=(dpi, dpi))
    return content.getvalue()


def _of_maps(figure: Figure, colors: int) -> Image.Image | None:
    """So many colours for a figure whose colours are values; None for another one.

    Chosen by how often they are seen, rare ones would be missing: the light blue of a weight becomes grey. Half of the
    palette are steps of the colour maps, the rest soft edges of text and lines.
    """
    maps = {image.get_cmap().name: image.get_cmap() for axis in figure.axes for image in axis.images}
    if not maps:
        return None
    steps = [one(np.linspace(0, 1, colors // 2 // len(maps)))[:, :3] for one in maps.values()]
    lines = ((INK, colors // 4), (GOLD, colors // 8), (MUTED, 1), (RULE, 1))
    for line, count in lines:
        steps.append(1 - np.outer(np.linspace(1, 0, count, endpoint=False), 1 - np.array(to_rgb(line))))
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.rint(255 * np.concatenate(steps)).astype(np.uint8).tobytes())
    return palette


def _write_png(content: bytes, stem: Path) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    with new_file(stem.with_name(f"{stem.name}.png")) as file:
        file.buffer.write(content)


def save(figure: Figure, stem: Path) -> None:
    """Write `<stem>.png` and `<stem>.svg` without date or program version; text in the SVG is drawn as paths."""
    save_png(figure, stem, PRINT_DPI)
    figure.savefig(stem.with_name(f"{stem.name}.svg"), metadata={"Date": None, "Creator": None}, **TIGHT)
