"""What an item's trainings read, made where the environment is whole: corpus, pieces, binary data, word alignments."""

from pathlib import Path

from benchmarks.gpu import training
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.prepared import fill
from benchmarks.gpu.queue.items import Item, settings
from benchmarks.gpu.queue.left import LEFT, left
from benchmarks.gpu.queue.training import COMMIT
from stages import binarize, bpe, candidates, corpus, supervision, tag, wordalign
from stages.files.git import git
from stages.files.records import write_json

PART = "training"
"""The only part that reads a text."""


def has_text(item: Item) -> bool:
    return bool(item.study) or PART in item.parts


def prepare(item: Item, folder: Path, smoke: bool) -> None:
    """Fill the item's folder, of which `queue pack` takes what trainings read."""
    if item.study:
        fill(folder, settings(item, smoke), [corpus, wordalign, tag], [bpe, candidates, binarize, supervision])
        write_json(folder / LEFT, left(folder.name, item, smoke))
    else:
        training.prepare(training.params(training.CORPUS, training.SYSTEMS, training.FULL), folder)
    (folder / COMMIT).write_text(git("rev-parse", "HEAD", folder=ROOT), encoding="utf-8")
