"""Reads what the evaluate stage writes: one translation a line, in pieces, and gives it in words."""

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stages.detokenise import merge_pieces, word_starts
from stages.errors import InputError
from stages.measures.merge import merge
from stages.textio import reading

EOS = "</s>"
ROUNDING = 1e-3
FIELDS = ("source", "target", "attention", "positional", "finished")


class Translation(NamedTuple):
    """One sentence with its translation, word level.

    source: S words and target: T words, both without the end of sentence.
    attention: (T + 1, S + 1), row = target word, last row and column = end of sentence; (T, S + 1) if the length limit
    cut the translation off; None if the system has no attention.
    log_probabilities: natural log p of each target piece, the end of sentence included.
    """

    source: list[str]
    target: list[str]
    attention: np.ndarray | None
    log_probabilities: list[float]

    @property
    def word_attention(self) -> np.ndarray | None:
        """(T, S + 1): without the row of the end of sentence."""
        return None if self.attention is None else self.attention[: len(self.target)]


def read_translations(path: Path) -> list[Translation]:
    """Read a .jsonl file of the evaluate stage; raises InputError that names file and line."""
    with reading(path) as file:
        translations = [_parse(line, f"{path}, line {number}") for number, line in enumerate(file, start=1)]
    if not translations:
        raise InputError(f"{path} is empty; run the evaluate stage again")
    if len({translation.attention is None for translation in translations}) > 1:
        raise InputError(f"{path} has attention for some sentences only; run the evaluate stage again")
    return translations


def _parse(line: bytes, where: str) -> Translation:
    try:
        record = json.loads(line.decode())
    except ValueError as error:  # bytes that are not UTF-8 too
        raise InputError(f"{where} is not JSON ({error}); run the evaluate stage again") from None
    missing = [field for field in FIELDS if not isinstance(record, dict) or field not in record]
    if missing:
        raise InputError(f"{where} lacks {', '.join(missing)}; run the evaluate stage again")
    try:
        return _translation(record)
    except (ValueError, TypeError) as error:
        raise InputError(f"{where}: {error}; run the evaluate stage again") from None


def _translation(record: dict[str, Any]) -> Translation:
    """Raises ValueError that says which lengths differ."""
    source, target = record["source"], record["target"]
    positional, finished = record["positional"], record["finished"]
    if source[-1:] != [EOS]:
        raise ValueError(f"the source does not end in {EOS}")
    if finished != (target[-1:] == [EOS]):
        raise ValueError(f"finished is {finished}, but the target ends in {target[-1:]}")
    if len(positional) != len(target):
        raise ValueError(f"{len(positional)} log probabilities for {len(target)} target pieces")
    if not all(map(math.isfinite, positional)):
        raise ValueError("log probabilities must be finite")
    source, target = source[:-1], target[:-1] if finished else target
    attention = record["attention"]
    if attention is not None:
        # The end of sentence is a word of its own, whatever the piece before it says.
        source_starts = [*word_starts(source), len(source)]
        target_starts = [*word_starts(target), *([len(target)] if finished else [])]
        weights = _matrix(attention, len(target) + finished, len(source) + 1)
        attention = merge(weights, source_starts, target_starts)
    return Translation(merge_pieces(source), merge_pieces(target), attention, positional)


def _matrix(rows: list[list[float]], height: int, width: int) -> np.ndarray:
    lengths = {len(row) for row in rows}
    if len(rows) != height:
        raise ValueError(f"{len(rows)} rows of attention for {height} target pieces")
    if lengths - {width}:
        raise ValueError(f"attention rows of {sorted(lengths)} weights for {width} source pieces")
    weights = np.array(rows, float).reshape(height, width)
    if not ((weights >= 0) & (weights <= 1 + ROUNDING)).all():
        raise ValueError("attention weights must lie in [0, 1]")
    return weights
