"""What the stages before left behind for each system: scores, training record and learning curve, one run a seed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.text import reading
from stages.scoring.inputs import Text

CURVE_COLUMNS = ("epoch", "updates", "dev_ppl", "dev_bleu")


Metrics = dict[str, Any]
"""Measure -> number, None where it does not apply; a measure of many numbers holds a mapping like this one."""


@dataclass(frozen=True)
class Run:
    """One training of a system.

    `metrics`: the measures of the first test set and of the gold set, those of every test set and their average under
    `tests`, those of dev under `dev`. `recipe`: how the numbers came about. `curve`: one row an epoch. `best_epoch`:
    the epoch whose checkpoint was evaluated. `bridged`: the nearest target words of frequent source words, None for a
    system that does not bridge.
    """

    seed: int
    metrics: Metrics
    recipe: dict[str, Any]
    curve: pd.DataFrame
    best_epoch: int
    bridged: list[dict[str, Any]] | None


@dataclass(frozen=True)
class System:
    """A row of the report: a variant with its title and its runs in the order of the seeds."""

    variant: str
    title: str
    runs: tuple[Run, ...]


def read_systems(
    axis: Path, text: Text, titles: Mapping[str, str], seeds: Iterable[int], opposite: Collection[str]
) -> tuple[System, ...]:
    """Read every run of `titles` (variant -> title) under `axis`, in that order; raises InputError naming the file.

    `opposite`: the variants that are trained in the opposite direction too.
    """
    seeds = tuple(seeds)
    return tuple(
        System(variant, title, tuple(read_run(axis, text, variant, seed, variant in opposite) for seed in seeds))
        for variant, title in titles.items()
    )


def read_run(axis: Path, text: Text, variant: str, seed: int, opposite: bool) -> Run:
    """Read scores, training record and curve of one run."""
    cell = f"{variant}-{seed}"
    scores_path = axis / "scores" / cell / "scores.json"
    scores = read_record(scores_path, ("metrics", "tests", "dev", "transform", "recipe"))
    model = axis / "models" / cell
    training = read_record(model / "training.json", ("best_epoch", "versions", "machine"))
    metrics = {
        **scores["metrics"],
        f"perplexity_{text.target}-{text.source}": _opposite_perplexity(axis, cell) if opposite else None,
        "tests": {**scores["tests"], "average": average(list(scores["tests"].values()))},
        "dev": scores["dev"],
    }
    for measure, value in leaves(metrics):
        if value is not None and not isinstance(value, int | float):
            raise InputError(
                f"{scores_path}: {measure} is {value!r}, not a number; run the score stage of {cell} again"
            )
    return Run(
        seed=seed,
        metrics=metrics,
        recipe=scores["recipe"] | {"versions": training["versions"], "machine": training["machine"]},
        curve=_read_curve(model / "curve.csv"),
        best_epoch=training["best_epoch"],
        bridged=scores["transform"],
    )


def leaves(metrics: Metrics, above: str = "") -> Iterator[tuple[str, Any]]:
    """Every number with the dotted path to it, such as `tests.average.bleu`."""
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def average(tests: Sequence[Metrics]) -> Metrics:
    """The papers' average: the mean over the test sets of every measure that is one number; None if one has none."""
    single = [key for key, value in tests[0].items() if not isinstance(value, dict)]
    return {key: mean([metrics[key] for metrics in tests]) for key in single}


def mean(values: Sequence[float | None]) -> float | None:
    """None where any value is missing."""
    return None if None in values else fmean(values)


def _opposite_perplexity(axis: Path, cell: str) -> float:
    """Dev perplexity of the checkpoint that was kept when the same system was trained in the opposite direction."""
    model = axis / "opposite" / "models" / cell
    best = read_record(model / "training.json", ("best_epoch",))["best_epoch"]
    curve = _read_curve(model / "curve.csv").set_index("epoch")
    if best not in curve.index:
        raise InputError(f"{model / 'curve.csv'} has no epoch {best}; remove {model} and run `dvc repro`")
    return float(curve.loc[best, "dev_ppl"])


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
