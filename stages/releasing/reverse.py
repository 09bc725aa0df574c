"""What the training of a system in the reverse direction came to: of this machine, or beside released results."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, PositiveInt

from stages.files.errors import InputError
from stages.files.records import read_json, read_record
from stages.files.run_directory import RunDirectory
from stages.measures.perplexity import statistics
from stages.releasing.results_file import REVERSE_FILE
from stages.settings.params import validate
from stages.translating.translations import read_translations


class _Machine(BaseModel):
    """What counts its hours, and whatever else its record says of it."""

    model_config = ConfigDict(extra="allow")
    threads: PositiveInt = 1
    gpu: str | None = None


class _Training(BaseModel):
    """What reports read of the training record."""

    wall_seconds: FiniteFloat
    machine: _Machine


class _Released(BaseModel):
    training: _Training
    sums: Annotated[list[tuple[FiniteFloat, FiniteFloat]], Field(min_length=1)]
    """`stages.measures.perplexity.Sums` of each sentence."""


def take(run: RunDirectory, variant: str, seed: int) -> dict[str, Any]:
    """What `REVERSE_FILE` says, from what was trained and evaluated here."""
    return {"training": _trained(run, variant, seed), "sums": _forced(run, variant, seed).tolist()}


def text_of(record: Mapping[str, Any]) -> bytes:
    """The content of that file."""
    return (json.dumps(record, separators=(",", ":")) + "\n").encode()


def training(run: RunDirectory, variant: str, seed: int, here: bool) -> dict[str, Any] | None:
    """What reports read of its record; None: it is not trained in the reverse direction.

    here: whether it is on this machine. Raises InputError if the record is missing or damaged.
    """
    if here:
        return _trained(run, variant, seed)
    released = _released(run.model(variant, seed) / REVERSE_FILE)
    return None if released is None else released.training.model_dump()


def sums(run: RunDirectory, variant: str, seed: int, here: bool) -> np.ndarray | None:
    """(N, 2): `stages.measures.perplexity.Sums` of each sentence of dev under forced decoding, else as `training`."""
    if here:
        return _forced(run, variant, seed)
    released = _released(run.model(variant, seed) / REVERSE_FILE)
    return None if released is None else np.array(released.sums)


def _trained(run: RunDirectory, variant: str, seed: int) -> dict[str, Any]:
    fields = tuple(_Training.model_fields)
    record = read_record(run.model(variant, seed, reverse=True) / "training.json", fields)
    return {field: record[field] for field in fields}


def _forced(run: RunDirectory, variant: str, seed: int) -> np.ndarray:
    forced = read_translations(run.translations(variant, seed, reverse=True) / "dev.forced.jsonl")
    return np.array([statistics(one.forced) for one in forced])


def _released(path: Path) -> _Released | None:
    if not path.exists():
        return None
    content = read_json(path)
    try:
        return validate(content, _Released, REVERSE_FILE, path)
    except InputError as error:
        raise InputError(f"{error}; delete it and run `dvc repro`") from None
