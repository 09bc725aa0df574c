"""Reads what the evaluate stage writes: one translation a line, in pieces, and gives it in words."""

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from stages.files.errors import InputError
from stages.files.records import read_json
from stages.files.text import reading
from stages.measures.merge_attention import merge_attention
from stages.text.pieces import merge_pieces, unknown_words, word_starts
from stages.text.symbols import END
from stages.text.unknown import attended_by

ROUNDING = 1e-3
FIELDS = ("source", "target", "attention", "positional", "finished")


class Translation(NamedTuple):
    """One sentence with its translation, word level.

    source: S words and target: T words, both without the end of sentence.
    attention: (T + 1, S + 1), row = target word, last row and column = end of sentence; (T, S + 1) if the length limit
    cut the translation off; None if the system has no attention.
    log_probabilities: natural log p of each target piece, the end of sentence included; None if the system has none.
    unknown: indices of the target words that stand for a word which the system does not know.
    attended: unknown word -> index of the source word that it attends to most; empty where nothing says so.
    """

    source: list[str]
    target: list[str]
    attention: np.ndarray | None
    log_probabilities: list[float] | None
    unknown: frozenset[int] = frozenset()
    attended: Mapping[int, int] = MappingProxyType({})

    @property
    def word_attention(self) -> np.ndarray | None:
        """(T, S + 1): without the row of the end of sentence."""
        return None if self.attention is None else self.attention[: len(self.target)]

    @property
    def weights(self) -> np.ndarray:
        """`attention` of a system that attends."""
        assert self.attention is not None
        return self.attention

    @property
    def word_weights(self) -> np.ndarray:
        """`word_attention` of a system that attends."""
        return self.weights[: len(self.target)]

    @property
    def forced(self) -> list[float]:
        """`log_probabilities` of forced decoding, which always has them."""
        assert self.log_probabilities is not None
        return self.log_probabilities


class Nearest(NamedTuple):
    """A source word, how often it stands in the training text, and its nearest target words, from the nearest on."""

    word: str
    count: int  # type: ignore[assignment]  # hides tuple's own, which nobody calls
    targets: list[str]


class Transform(NamedTuple):
    """What a trained embedding transform finds (Kuang et al. 2018, Eq. 4).

    words: from the most frequent on; targets: the words among which theirs were sought; mean_norm_x, mean_norm_y: mean
    length of the embeddings; mean_distance: of W E_x(x) to the nearest E_y(y), mean over ``words``.
    """

    words: list[Nearest]
    targets: frozenset[str]
    mean_norm_x: float
    mean_norm_y: float
    mean_distance: float


def read_translations(path: Path) -> list[Translation]:
    """Read a .jsonl file of the evaluate stage; raises InputError that names file and line."""
    translations = [translation for _, translation in _records(path, FIELDS)]
    if not translations:
        raise InputError(f"{path} is empty; run the evaluate stage again")
    return translations


def read_no_unk(path: Path) -> dict[int, Translation]:
    """Read a .no_unk.jsonl file of the evaluate stage: the translation of each row, 0-based, that it holds.

    It may hold none. Raises InputError that names file and line.
    """
    translations: dict[int, Translation] = {}
    for number, (record, translation) in enumerate(_records(path, (*FIELDS, "row")), start=1):
        row, before = record["row"], next(reversed(translations), -1)
        if not isinstance(row, int) or row <= before:
            raise InputError(f"{path}, line {number}: row {row} after row {before}; run the evaluate stage again")
        translations[row] = translation
    return translations


def read_transform(path: Path) -> Transform | None:
    """Read transform.json of the evaluate stage; None for a system without an embedding transform."""
    content = read_json(path)
    if content is None:
        return None
    try:
        nearest = [(one["word"], one["count"], one["nearest"]) for one in content["words"]]
        words = [Nearest(word, count, [target for target, _ in found]) for word, count, found in nearest]
        means = (content["mean_norm_x"], content["mean_norm_y"], content["mean_distance"])
        return Transform(words, frozenset(content["targets"]), *means)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} holds no transform ({error!r}); run the evaluate stage again") from None


def _records(path: Path, fields: Sequence[str]) -> Iterator[tuple[dict[str, Any], Translation]]:
    """Line by line what the file says and what that means; raises InputError that names file and line."""
    attentive: set[bool] = set()
    with reading(path) as file:
        for number, line in enumerate(file, start=1):
            record, translation = _parse(line, f"{path}, line {number}", fields)
            attentive.add(translation.attention is not None)
            yield record, translation
    if len(attentive) > 1:
        raise InputError(f"{path} has attention for some sentences only; run the evaluate stage again")


def _parse(line: bytes, where: str, fields: Sequence[str]) -> tuple[dict[str, Any], Translation]:
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError) as error:  # bytes that are not UTF-8, or a nesting beyond reason, too
        raise InputError(f"{where} is not JSON ({error}); run the evaluate stage again") from None
    missing = [field for field in fields if not isinstance(record, dict) or field not in record]
    if missing:
        raise InputError(f"{where} lacks {', '.join(missing)}; run the evaluate stage again")
    try:
        return record, translation_of(record)
    except (ValueError, TypeError) as error:
        raise InputError(f"{where}: {error}; run the evaluate stage again") from None


def translation_of(record: dict[str, Any]) -> Translation:
    """Raises ValueError that says which lengths differ, or that there are no lists.

    Beside `FIELDS` it may say, without attention, what its unknown words attend to: `attended`, a list in their order.
    """
    source, target = record["source"], record["target"]
    positional, finished = record["positional"], record["finished"]
    if not isinstance(source, list) or not isinstance(target, list):
        raise ValueError("source and target are no lists of pieces")
    if source[-1:] != [END]:
        raise ValueError(f"the source does not end in {END}")
    if finished != (target[-1:] == [END]):
        raise ValueError(f"finished is {finished}, but the target ends in {target[-1:]}")
    if positional is not None and len(positional) != len(target):
        raise ValueError(f"{len(positional)} log probabilities for {len(target)} target pieces")
    if positional is not None and not all(map(math.isfinite, positional)):
        raise ValueError("log probabilities must be finite")
    source, target = source[:-1], target[:-1] if finished else target
    words, unknown, attention = merge_pieces(source), unknown_words(target), record["attention"]
    if attention is not None:
        # The end of sentence is a word of its own, whatever the piece before it says.
        source_starts = [*word_starts(source), len(source)]
        target_starts = [*word_starts(target), *([len(target)] if finished else [])]
        weights = _matrix(attention, len(target) + finished, len(source) + 1)
        attention = merge_attention(weights, source_starts, target_starts)
        attended = attended_by(unknown, attention)
    else:
        attended = _attended(record.get("attended", []), unknown, len(words))
    return Translation(words, merge_pieces(target), attention, positional, unknown, attended)


def _attended(places: list[int], unknown: Collection[int], source: int) -> dict[int, int]:
    if not places:
        return {}
    if len(places) != len(unknown) or not set(places) <= set(range(source)):
        raise ValueError(f"{len(unknown)} unknown words attend to {places}, of {source} source words")
    return dict(zip(sorted(unknown), places, strict=True))


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
