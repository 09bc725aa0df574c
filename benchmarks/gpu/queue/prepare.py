"""What an item's trainings read, made where the environment is whole: corpus, pieces, binary data, word alignments."""

import subprocess
from pathlib import Path

from benchmarks.gpu import training
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.prepared import fill
from benchmarks.gpu.queue.items import Item, settings
from benchmarks.gpu.queue.training import COMMIT
from stages import binarize, bpe, candidates, corpus, supervision, tag, wordalign

PART = "training"
"""The only part that reads a text."""


def has_text(item: Item) -> bool:
    return bool(item.study) or PART in item.parts


def prepare(item: Item, folder: Path, smoke: bool) -> None:
    """Fill the item's folder, which is all that has to be carried to the machine with a GPU beside the project."""
    if item.study:
        fill(folder, settings(item, smoke), [corpus, wordalign, tag], [bpe, candidates, binarize, supervision])
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
        (folder / COMMIT).write_text(head.stdout, encoding="utf-8")
    else:
        training.prepare(training.params(training.CORPUS, training.SYSTEMS, training.FULL), folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{folder}: {size / 2**20:,.0f} MiB", flush=True)
