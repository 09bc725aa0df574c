"""A small table of candidate words and the dictionaries that it is read with, for the tests."""

from pathlib import Path

from stages.files.text import write_lines
from stages.settings.variants import VariantModel
from tests.helpers.support import (
    SOURCE_TYPES,
    TARGET_TYPES,
    dictionary,
)

SOURCE, TARGET = dictionary(SOURCE_TYPES), dictionary(TARGET_TYPES)
TABLE = ["w0\tw3 w1 w2", "w0 w1\tw9", "w1 w0 w2\tw10 w11", "w5\tw12"]


def write_table(folder: Path, lines: list[str] = TABLE) -> Path:
    write_lines(folder / "candidates.tsv", lines)
    return folder / "candidates.tsv"


def with_table(path: Path, **options) -> VariantModel:
    """`lvnmt` with a table, as training adds it to its arguments: params.yaml may name no file."""
    return VariantModel.model_construct(arch="lvnmt", candidate_table=str(path), **options)
