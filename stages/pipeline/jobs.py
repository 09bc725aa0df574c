"""What `make repro` runs side by side: cells of stages, what each waits for, and in which order they begin."""

from collections.abc import Mapping, Sequence, Set
from math import inf
from pathlib import Path

from pydantic import BaseModel

from stages.files.errors import InputError
from stages.files.records import read_json
from stages.settings.params import validate
from stages.settings.schema import Params
from stages.settings.systems import base_of

Cell = tuple[str, ...]
"""Stages to run one after the other, as DVC addresses them: most often those of one system with one seed."""


class _Mean(BaseModel):
    wall_seconds: float | None


class _System(BaseModel):
    mean: _Mean


class _Report(BaseModel):
    """The part of a metrics.json that is read here."""

    systems: dict[str, _System]


def first_cells(params: Params) -> list[Cell]:
    """The cells of the rows that need only the data, and their trainings in the opposite direction; those that other
    rows start from come first."""
    bases = {base_of(start)[0] for start, rows in params.starts.items() if rows}
    names = sorted(params.variants, key=lambda row: row not in bases)
    opposite = [_cell("train_opposite", row=row, seed=seed) for seed in params.seeds for row in params.opposite]
    return opposite + [
        _cell("train", "evaluate", "score", row=row, seed=seed) for seed in params.seeds for row in names
    ]


def later_cells(params: Params) -> dict[Cell, set[str]]:
    """The cells of the rows that start from another row's model, each with the trainings that it waits for."""
    return {
        _cell(f"continue_{start}", "evaluate_continued", "score_continued", row=row, seed=seed): _trainings(start, seed)
        for seed in params.seeds
        for start, rows in params.starts.items()
        for row in rows
    }


def longest_first(cells: Sequence[Cell], waits: Mapping[Cell, Set[str]], seconds: Mapping[str, float]) -> list[Cell]:
    """The cells by the time from their beginning to the end of the longest that waits for them, the most first, so that
    no long one is left to run alone at the end.

    A cell thus comes before those that wait for it, if it did in `cells`: those of equal time keep their order.
    waits: as `later_cells`; no cell that waits is waited for. seconds: row -> what it takes; nobody knows how long any
    other row takes, so it counts as endless.
    """
    own = {cell: seconds.get(_row(cell), inf) for cell in cells}

    def remaining(cell: Cell) -> float:
        return own[cell] + max((own[other] for other in cells if waits.get(other, set()) & set(cell)), default=0)

    return sorted(cells, key=remaining, reverse=True)


def last_seconds(metrics: Path) -> dict[str, float]:
    """Row -> seconds that its training took in the report of this metrics.json; rows without a figure are missing.

    Empty without a report that can be read: it is about to be made anew, and only the order is lost.
    """
    try:
        report = validate(read_json(metrics), _Report, "metrics", metrics)
    except InputError:
        return {}
    means = {row: system.mean.wall_seconds for row, system in report.systems.items()}
    return {row: seconds for row, seconds in means.items() if seconds is not None}


def _trainings(start: str, seed: int) -> set[str]:
    base, both_ways = base_of(start)
    return {f"train@{base}-{seed}", *([f"train_opposite@{base}-{seed}"] if both_ways else [])}


def _cell(*stages: str, row: str, seed: int) -> Cell:
    return tuple(f"{stage}@{row}-{seed}" for stage in stages)


def _row(cell: Cell) -> str:
    return cell[0].partition("@")[2].rpartition("-")[0]
