"""The log of one training run: fairseq's own JSON lines, and one row an epoch that survives a kill."""

import json
import logging
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from stages.files.text import read_lines, write_lines

PROGRESS = "fairseq.logging.progress_bar"
"""fairseq's progress bars log here, under a name that they change to train_inner, train or valid for each line."""


class Epoch(NamedTuple):
    """One row of the learning curve.

    Perplexities per piece, eos included; ``tokens_per_second`` counts target pieces in training updates alone (None for
    an epoch that was interrupted); ``wall_seconds`` is everything since the start.
    """

    epoch: int
    updates: int
    train_loss: float
    train_ppl: float
    dev_ppl: float
    dev_bleu: float
    tokens_per_second: float | None
    wall_seconds: float


class Journal:
    """The rows as JSON lines, renamed into place; a repeated epoch (resumed after a kill) replaces the earlier row."""

    def __init__(self, path: Path):
        self.path = path

    def append(self, row: Epoch) -> None:
        write_lines(self.path, (json.dumps(one._asdict()) for one in [*self.epochs(), row]))

    def epochs(self) -> list[Epoch]:
        """All rows, by epoch."""
        if not self.path.exists():
            return []
        rows = map(json.loads, read_lines(self.path))
        return sorted({row["epoch"]: Epoch(**row) for row in rows}.values())

    def best(self) -> Epoch:
        """The first epoch with the best dev BLEU."""
        return max(self.epochs(), key=lambda row: (row.dev_bleu, -row.epoch))

    def improves(self, row: Epoch) -> bool:
        """Whether ``row`` has a better dev BLEU than every earlier epoch."""
        return all(row.dev_bleu > one.dev_bleu for one in self.epochs() if one.epoch < row.epoch)

    def exhausted(self, max_epoch: int, patience: int) -> bool:
        """Whether training is over: all epochs done, or ``patience`` of them in a row without a better dev BLEU."""
        epochs = self.epochs()
        if not epochs:
            return False
        last = epochs[-1].epoch
        return last >= max_epoch or 0 < patience <= last - self.best().epoch

    def write_curve(self, path: Path) -> None:
        """The learning curve as CSV."""
        pd.DataFrame(self.epochs(), columns=Epoch._fields).to_csv(path, index=False)


class JsonLines(logging.Handler):
    """Keeps the JSON lines that fairseq's progress bars print, one file for all of them."""

    def __init__(self, path: Path):
        super().__init__()
        self.file = path.open("a", encoding="utf-8")

    def emit(self, record: logging.LogRecord) -> None:
        self.file.write(json.dumps({"log": record.name, **json.loads(record.getMessage())}) + "\n")
        self.file.flush()

    def close(self) -> None:
        self.file.close()
        super().close()


def keep_json(path: Path) -> None:
    """From now on fairseq's JSON lines go to ``path`` and not to the console."""
    logger = logging.getLogger(PROGRESS)
    logger.setLevel(logging.INFO)
    logger.handlers, logger.propagate = [JsonLines(path)], False
