"""Drawings as SVG text: panels below each other, each a graph in layers."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from docs.make.flow import flow
from docs.make.graph import Graph, reduced
from docs.make.imports import PLUGINS, imports
from docs.make.place import place

LETTER, PROSE, BOX, ROW, MARGIN, HEAD = 7.2, 6.2, 26, 58, 24, 52
"""Pixels: a letter's width in boxes and in notes, a box's height, from layer to layer, around a panel, and above it."""

STYLE = (
    "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}"
    ".title{font:bold 14px system-ui,sans-serif}.note{font:12px system-ui,sans-serif;fill:#57606a}"
    "rect{stroke:#57606a;rx:4px}.page{fill:#fff;stroke:none}.script{fill:#fff3d6}.package{fill:#ddeaf7}"
    ".plugins{fill:#dff3e0}path{fill:none;stroke:#57606a}"
)


IMPORTED = "an arrow leads to what is imported, unless a longer way leads there already"


class Panel(NamedTuple):
    """kinds: name -> class of its box; "" stands for all others."""

    title: str
    note: str
    graph: Graph
    kinds: dict[str, str]


def data() -> Panel:
    """The stages, read from dvc.yaml."""
    note = "an arrow leads from a stage to one that reads what it writes, unless a longer way says so already"
    return Panel("Data: the stages of dvc.yaml", note, flow(), {"": "script"})


def pipeline() -> Panel:
    """The scripts and packages of the pipeline, read from the imports."""
    graph = imports("stages")
    kinds = {"": "package", PLUGINS: "plugins"} | dict.fromkeys(graph.layers[0], "script")
    return Panel("Code: the scripts in stages/ and the packages below them", IMPORTED, _thinned(graph), kinds)


def plugins() -> Panel:
    """The packages of the models, read from the imports."""
    return Panel(f"Code: {PLUGINS}/, the models", IMPORTED, _thinned(imports(PLUGINS)), {"": "plugins"})


def draw(rows: Sequence[Sequence[Panel]], title: str) -> str:
    """The SVG: rows of panels."""
    body, top, width = [], 0, 0
    for row in rows:
        left = height = 0
        for panel in row:
            lines, panel_width, panel_height = _panel(panel, left, top)
            body += lines
            left, height = left + panel_width, max(height, panel_height)
        top, width = top + height, max(width, left)
    frame = f'width="{width}" height="{top}" viewBox="0 0 {width} {top}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        '<marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M1 1L7 4L1 7" /></marker>',
        f'<rect class="page" width="{width}" height="{top}" />',
    ]
    return "\n".join([*head, *body, "</svg>", ""])


def _panel(panel: Panel, left: int, top: int) -> tuple[list[str], int, int]:
    """Its lines, its width and its height."""
    graph = panel.graph
    size = {name: round(len(name) * LETTER) + 16 for layer in graph.layers for name in layer}
    placed = place(graph, size)
    level = {name: k for k, layer in enumerate(graph.layers) for name in layer}
    left += MARGIN
    lines = [
        f'<text class="title" x="{left}" y="{top + 24}">{escape(panel.title)}</text>',
        f'<text class="note" x="{left}" y="{top + 42}">{escape(panel.note)}</text>',
    ]
    for (start, _), way in placed.ways.items():
        lines.append(_arrow([left + x for x in way], top + HEAD + level[start] * ROW))
    for layer in graph.layers:
        for name in sorted(layer):
            x, y = round(left + placed.x[name]), top + HEAD + level[name] * ROW
            kind = panel.kinds.get(name, panel.kinds[""])
            lines += [
                f'<rect class="{kind}" x="{x - size[name] // 2}" y="{y}" width="{size[name]}" height="{BOX}" />',
                f'<text x="{x}" y="{y + 17}" text-anchor="middle">{escape(name)}</text>',
            ]
    width = max(placed.width, len(panel.note) * PROSE, len(panel.title) * LETTER)
    return lines, round(width) + 2 * MARGIN, HEAD + len(graph.layers) * ROW


def _arrow(xs: list[float], top: int) -> str:
    """From the lower edge of a box down to the upper edge of another, upright where it passes a layer."""
    x, y = round(xs[0]), top + BOX
    way = f"M{x} {y}"
    for k, x_next in enumerate(map(round, xs[1:]), 1):
        upper = top + k * ROW
        middle = (y + upper) // 2
        way += f"C{x} {middle} {x_next} {middle} {x_next} {upper}"
        x, y = x_next, upper
        if k < len(xs) - 1:
            y = upper + BOX
            way += f"V{y}"
    return f'<path d="{way}" marker-end="url(#tip)" />'


def _thinned(graph: Graph) -> Graph:
    """Without the arrows that a longer way says too."""
    return graph._replace(arrows=reduced(graph.arrows))
