"""The figures of the page: what stands in the report's folder `vector`, as data inside it."""

import base64
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from stages.reporting.figures.caption import Caption
from stages.reporting.outputs import VECTOR

TYPES = {".png": "image/png", ".svg": "image/svg+xml"}
LIMIT = 3_000_000
"""Characters of all figures together: the explorer needs the rest of the page."""


class PageFigure(NamedTuple):
    """caption: below the figure and in its place; file: from the report's folder; data: a data URI, None for a figure
    that stays beside the page for its size."""

    caption: str
    file: str
    data: str | None


def page_figures(folder: Path, captions: Mapping[str, Caption]) -> list[PageFigure]:
    """Of each figure the smaller of its files; those of `vector` itself before those of its folders, by
    name. captions: by the name of a figure.

    Where they do not all fit, the largest are not inside.
    """
    found = {path: _uri(path) for path in _smallest(folder / VECTOR)}
    by_size = sorted(found, key=lambda path: len(found[path]))
    taken = accumulate(len(found[path]) for path in by_size)
    inside = {path for path, total in zip(by_size, taken, strict=True) if total <= LIMIT}
    return [
        PageFigure(
            caption=captions[path.relative_to(folder / VECTOR).with_suffix("").as_posix()].text,
            file=path.relative_to(folder).as_posix(),
            data=uri if path in inside else None,
        )
        for path, uri in found.items()
    ]


def _smallest(folder: Path) -> list[Path]:
    paths = [path for path in folder.rglob("*") if path.suffix in TYPES]
    stems: dict[Path, Path] = {}
    for path in sorted(paths, key=lambda path: (len(path.parts), path)):
        stem = path.with_suffix("")
        stems[stem] = min(stems.get(stem, path), path, key=lambda one: one.stat().st_size)
    return list(stems.values())


def _uri(path: Path) -> str:
    return f"data:{TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"
