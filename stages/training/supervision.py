"""What training reads beside the text, in the forms that fairseq and the models read."""

from pathlib import Path

import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.text import read_lines

from fairseq.data import indexed_dataset


def supervised_data(data: Path, supervision: Path, folder: Path, pair: tuple[str, str]) -> tuple[Path, list[str]]:
    """-> (the folder with fairseq's data, further arguments of ``fairseq-train``).

    Args:
        data: folder of the binarize stage.
        supervision: folder of the supervision stage for this system.
        folder: where data with alignments is put together, if there are any.
        pair: source and target language.
    """
    arguments = []
    if (supervision / "candidates.tsv").exists():
        arguments += ["--candidate-table", str(supervision / "candidates.tsv")]
    aligned = sorted(supervision.glob("*.align"))
    if not aligned:
        return data, arguments
    folder.mkdir(exist_ok=True)
    for file in data.iterdir():
        link = folder / file.name
        link.unlink(missing_ok=True)
        link.symlink_to(file.resolve())
    for path in aligned:
        _binarise(path, folder / f"{path.stem}.align.{pair[0]}-{pair[1]}")
    return folder, [*arguments, "--load-alignments"]


def _binarise(path: Path, prefix: Path) -> None:
    """Lines of `j-i` as fairseq's dataset of flat pairs."""
    builder = indexed_dataset.make_builder(f"{prefix}.bin", impl="mmap")
    for line in read_lines(path, allow_empty=True):
        numbers = [int(number) for link in line.split() for number in link.split("-")]
        builder.add_item(torch.tensor(numbers, dtype=torch.int32))
    builder.finalize(f"{prefix}.idx")
