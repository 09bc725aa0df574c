"""What the training of a system in the reverse direction came to: of this machine, or beside released results."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.run_directory import RunDirectory
from stages.measures.perplexity import Sums, statistics
from stages.translating.translations import read_translations

FILE = "reverse.json"
"""Among released results, and then beside their training record: {"training", "sums"}."""
TRAINING = ("wall_seconds", "machine")
"""What reports read of the training record."""


def take(run: RunDirectory, variant: str, seed: int) -> bytes:
    """The content of `FILE`, from what was trained and evaluated here."""
    record = {"training": training(run, variant, seed, True), "sums": sums(run, variant, seed, True).tolist()}
    return (json.dumps(record, separators=(",", ":")) + "\n").encode()


def training(run: RunDirectory, variant: str, seed: int, here: bool) -> dict[str, Any] | None:
    """The `TRAINING` of its record; None: it is not trained in the reverse direction.

    here: whether it is on this machine. Raises InputError if the record is missing or damaged.
    """
    if here:
        record = read_record(run.model(variant, seed, reverse=True) / "training.json", TRAINING)
        return {key: record[key] for key in TRAINING}
    released = _released(run.model(variant, seed) / FILE)
    return released and released["training"]


def sums(run: RunDirectory, variant: str, seed: int, here: bool) -> np.ndarray | None:
    """(N, 2): `perplexity.Sums` of each sentence of dev under forced decoding. As `training` otherwise."""
    if here:
        forced = read_translations(run.translations(variant, seed, reverse=True) / "dev.forced.jsonl")
        return np.array([statistics(one.log_probabilities) for one in forced])
    path = run.model(variant, seed) / FILE
    released = _released(path)
    if released is None:
        return None
    try:
        found = np.array(released["sums"], float)
    except (ValueError, TypeError):
        found = np.empty(0)
    if found.ndim != 2 or found.shape[1] != len(Sums._fields):
        raise InputError(f"{path}: sums are not pairs of numbers; delete it and run `dvc repro`")
    return found


def _released(path: Path) -> dict[str, Any] | None:
    return read_record(path, ("training", "sums")) if path.exists() else None
