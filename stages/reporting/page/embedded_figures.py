"""The figures of the page: what stands in the report's folder `figures`, as data inside it."""

import base64
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from stages.reporting.figures.caption import Caption
from stages.reporting.outputs import FIGURES

LIMIT = 1_600_000
"""Characters of all figures together: the explorer needs the rest of the page."""


class PageFigure(NamedTuple):
    """title, about: in its place for who does not see it; file: from the report's folder; data: a data URI, None for a
    figure that stays beside the page for its size."""

    title: str
    about: str
    file: str
    data: str | None


def page_figures(folder: Path, captions: Mapping[str, Caption]) -> list[PageFigure]:
    """Those of `captions` (by the name of a figure, in their order) that the report in `folder` has.

    Where they do not all fit, the largest are not inside.
    """
    files = {name: f"{FIGURES}/{name}.png" for name in captions}
    found = {name: _uri(folder / file) for name, file in files.items() if (folder / file).exists()}
    by_size = sorted(found, key=lambda name: len(found[name]))
    taken = accumulate(len(found[name]) for name in by_size)
    inside = {name for name, total in zip(by_size, taken, strict=True) if total <= LIMIT}
    return [
        PageFigure(captions[name].title, captions[name].further, files[name], uri if name in inside else None)
        for name, uri in found.items()
    ]


def _uri(path: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
