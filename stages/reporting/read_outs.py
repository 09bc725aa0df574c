"""What the stage `read_outs` has found of each system: its word links, read out of it in several ways."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.run_directory import RunDirectory
from stages.reporting.metrics import deviation, mean, over_seeds
from stages.scoring.read_outs import READ_OUTS, Quality

ReadOuts = Mapping[str, Any]
"""Variant -> {"mean", "sd": {name of `READ_OUTS`: {"aer", "precision", "recall"}}, "seeds": {seed: the same}, "heads":
{seed: {"layer", "head"}, null of a system without}}. A value is None where a seed has none, an sd of one seed too."""


def read_read_outs(run: RunDirectory, variants: Iterable[str], seeds: Sequence[int]) -> dict[str, Any]:
    """As `read_outs` of metrics.json.

    Raises:
        InputError: a file is missing or damaged.
    """
    return {variant: _of(run, variant, seeds) for variant in variants}


def _of(run: RunDirectory, variant: str, seeds: Sequence[int]) -> dict[str, Any]:
    paths = {str(seed): run.read_outs(variant) / f"{seed}.json" for seed in seeds}
    records = {seed: read_record(path, ("variant", "seed", "read_outs", "head")) for seed, path in paths.items()}
    for seed, record in records.items():
        values = [set(one) for one in record["read_outs"].values()]
        if set(record["read_outs"]) - set(READ_OUTS) or any(one != set(Quality._fields) for one in values):
            raise InputError(f"{paths[seed]} holds other read-outs than this version knows; run `dvc repro`")
    each = {seed: record["read_outs"] for seed, record in records.items()}
    names = [name for name in READ_OUTS if all(name in one for one in each.values())]
    runs = [{name: one[name] for name in names} for one in each.values()]
    return {
        "mean": over_seeds(runs, mean),
        "sd": over_seeds(runs, deviation),
        "seeds": each,
        "heads": {seed: record["head"] for seed, record in records.items()},
    }
