"""What the stages before left behind for each system: scores, training record and learning curve, one run a seed."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from stages.errors import InputError
from stages.textio import read_record, reading

CURVE_COLUMNS = ("epoch", "updates", "dev_ppl", "dev_bleu")


@dataclass(frozen=True)
class Run:
    """One training of a system.

    `metrics`: measure -> value, None where the measure does not apply. `recipe`: how the numbers came about.
    `curve`: one row an epoch. `best_epoch`: the epoch whose checkpoint was evaluated.
    """

    seed: int
    metrics: dict[str, float | None]
    recipe: dict[str, Any]
    curve: pd.DataFrame
    best_epoch: int


@dataclass(frozen=True)
class System:
    """A row of the report: a variant with its title and its runs in the order of the seeds."""

    variant: str
    title: str
    runs: tuple[Run, ...]


def read_systems(axis: Path, titles: dict[str, str], seeds: Iterable[int]) -> tuple[System, ...]:
    """Read every run of `titles` (variant -> title) under `axis`, in that order; raises InputError naming the file."""
    seeds = tuple(seeds)
    return tuple(
        System(variant, title, tuple(read_run(axis, variant, seed) for seed in seeds))
        for variant, title in titles.items()
    )


def read_run(axis: Path, variant: str, seed: int) -> Run:
    """Read scores, training record and curve of one run.

    The measures are those of `metrics`, and `<measure>.<set>` for every test set after the first (whose measures are
    already the headline ones).
    """
    cell = f"{variant}-{seed}"
    scores_path = axis / "scores" / f"{cell}.json"
    scores = read_record(scores_path, ("metrics", "tests", "recipe"))
    training = read_record(axis / "models" / cell / "training.json", ("best_epoch", "versions", "machine"))
    _, *others = scores["tests"]
    metrics = scores["metrics"] | {
        f"{measure}.{name}": value for name in others for measure, value in scores["tests"][name].items()
    }
    for measure, value in metrics.items():
        if value is not None and not isinstance(value, int | float):
            raise InputError(
                f"{scores_path}: {measure} is {value!r}, not a number; run the score stage of {cell} again"
            )
    return Run(
        seed=seed,
        metrics=metrics,
        recipe=scores["recipe"] | {"versions": training["versions"], "machine": training["machine"]},
        curve=_read_curve(axis / "models" / cell / "curve.csv"),
        best_epoch=training["best_epoch"],
    )


def _read_curve(path: Path) -> pd.DataFrame:
    try:
        with reading(path) as file:
            curve = pd.read_csv(file)
    except ValueError as error:
        raise InputError(f"{path} is not a table ({error}); remove it and run `dvc repro`") from None
    missing = [column for column in CURVE_COLUMNS if column not in curve]
    if missing or curve.empty:
        raise InputError(f"{path} has no {', '.join(missing) or 'rows'}; remove it and run `dvc repro`")
    return curve
