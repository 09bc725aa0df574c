"""fairseq's readers of data and models, held to files that may be truncated or made to harm: one sentence for each.

fairseq trusts what stands in an index: it raises errors of any kind in the midst of a run, looks up words that the
dictionary does not have, and with its older formats hands out memory that was never written.
"""

import struct
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np

from fairseq_plugins import compat

from fairseq import checkpoint_utils
from fairseq.data import Dictionary, data_utils

HEADER = struct.Struct("<9sQBQ")  # magic, version, code of the type of numbers, sentences
MAGIC, VERSION = b"MMIDIDX\x00\x00", 1
TYPES = {1: "u1", 2: "i1", 3: "<i2", 4: "<i4", 5: "<i8", 8: "<u2", 9: "<u4", 10: "<u8"}  # fairseq's codes of integers
CHUNK = 1 << 24  # numbers that are looked at together
ANEW = "make it anew with `python -m fairseq_plugins preprocess`"


class DataError(ValueError):
    """A file of data that is damaged, or is not what it says."""


@cache
def guard() -> None:
    """Have fairseq's commands look before they read, in this process."""
    Dictionary.add_from_file = _dictionary(Dictionary.add_from_file)
    data_utils.load_indexed_dataset = _indexed(data_utils.load_indexed_dataset)
    checkpoint_utils.load_model_ensemble_and_task = _models(checkpoint_utils.load_model_ensemble_and_task)


def check_indexed(prefix: str, types: int | None) -> None:
    """Whether ``prefix``.idx and ``prefix``.bin are a data set of fairseq's for ``types`` words, None for any numbers.

    Raises:
        DataError: they are not; says which and why.
        OSError: one cannot be read.
    """
    index, data = Path(f"{prefix}.idx"), Path(f"{prefix}.bin")
    kind, lengths, starts = _read_index(index)
    ends = np.cumsum(lengths, dtype=np.int64) * kind.itemsize
    if (lengths < 0).any() or (starts != ends - lengths.astype(np.int64) * kind.itemsize).any():
        raise DataError(f"{index}: damaged, for its sentences do not follow each other; {ANEW}")
    expected, size = int(ends[-1]), data.stat().st_size
    if size != expected:
        raise DataError(f"{data}: damaged or of another index, for it has {size} bytes instead of {expected}; {ANEW}")
    if size == 0:
        raise DataError(f"{data}: empty; {ANEW}")
    if types is not None:
        numbers = np.memmap(data, kind, "r")
        for start in range(0, len(numbers), CHUNK):
            part = numbers[start : start + CHUNK]
            if (found := int(part.max())) >= types or (found := int(part.min())) < 0:
                raise DataError(f"{data}: damaged or of another dictionary, for it has word {found} of {types}; {ANEW}")


def _read_index(path: Path) -> tuple[np.dtype, np.ndarray, np.ndarray]:
    """-> (type of numbers, length of each sentence, where in bytes each begins)."""
    with path.open("rb") as handle:
        head = handle.read(HEADER.size)
        if len(head) < HEADER.size:
            raise DataError(f"{path}: truncated; {ANEW}")
        magic, version, code, sentences = HEADER.unpack(head)
        if (magic, version) != (MAGIC, VERSION) or code not in TYPES:
            raise DataError(f"{path}: damaged, or not of the format mmap with whole numbers; {ANEW}")
        expected, size = HEADER.size + 12 * sentences, path.stat().st_size  # before anything so large is asked for
        if size != expected:
            raise DataError(
                f"{path}: damaged, for {sentences} sentences take {expected} bytes instead of {size}; {ANEW}"
            )
        if sentences == 0:
            raise DataError(f"{path}: has no sentences; {ANEW}")
        rest = handle.read()
    return np.dtype(TYPES[code]), np.frombuffer(rest, "<i4", sentences), np.frombuffer(rest, "<i8", -1, 4 * sentences)


def _indexed(load: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(load)
    def load_indexed_dataset(path: str, dictionary: Any = None, dataset_impl: Any = None, *args: Any, **kwargs: Any):
        kind = None if dataset_impl is None else str(dataset_impl)
        if kind not in (None, "mmap", "raw"):
            raise DataError(f"--dataset-impl {kind}: only mmap and raw are read here; {ANEW}")
        if kind != "raw" and Path(f"{path}.idx").exists():
            check_indexed(path, None if dictionary is None else len(dictionary))
        return load(path, dictionary, dataset_impl, *args, **kwargs)

    return load_indexed_dataset


def _dictionary(read: Callable[..., None]) -> Callable[..., None]:
    @wraps(read)
    def add_from_file(self: Dictionary, f: Any) -> None:
        try:
            read(self, f)
        except (OSError, DataError):
            raise
        except Exception as error:
            if not isinstance(f, str):  # what is read of an open file, on behalf of the call for its path
                raise
            raise DataError(f"{f}{_bad_line(f)}; {ANEW}") from error

    return add_from_file


def _bad_line(path: str) -> str:
    """What is wrong with a dictionary that fairseq could not read."""
    known = set(Dictionary().symbols)
    for number, raw in enumerate(Path(path).read_bytes().splitlines(), 1):
        try:
            fields = raw.decode().rstrip().removesuffix(" #fairseq:overwrite").rsplit(" ", 1)
            word, _ = fields[0], int(fields[1])
        except UnicodeDecodeError:
            return f", line {number}: not UTF-8"
        except (IndexError, ValueError):
            return f", line {number}: not a word and its count"
        if word in known:
            return f", line {number}: a word that was there before"
        known.add(word)
    return ": not a dictionary"


def _models(load: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(load)
    def load_model_ensemble_and_task(filenames: list[str], *args: Any, **kwargs: Any) -> Any:
        try:
            return load(filenames, *args, **kwargs)
        except (OSError, DataError, compat.CheckpointError):
            raise
        except Exception as error:  # settings of a model that nobody knows, weights of other shapes, no weights at all
            first = " ".join(str(error).split())[:200]
            raise compat.CheckpointError(
                f"{', '.join(filenames)}: does not fit the dictionaries of the data or the models here ({first}); give "
                "the data that it was trained on"
            ) from error

    return load_model_ensemble_and_task
