"""The log of one training run: fairseq's own JSON lines, and one row an epoch that survives a kill."""

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.atomic import write_error

from fairseq import metrics
from fairseq.logging.progress_bar import JsonProgressBar
from fairseq_cli.train import get_training_stats

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
    """The rows; a repeated epoch replaces the earlier row. They are saved as JSON ``lines``, and begin as those."""

    def __init__(self, lines: Iterable[str] = ()):
        self._rows = {row.epoch: row for row in (Epoch(**json.loads(line)) for line in lines)}

    def append(self, row: Epoch) -> None:
        self._rows[row.epoch] = row

    def lines(self) -> list[str]:
        """The rows as JSON."""
        return [json.dumps(row._asdict()) for row in self.epochs()]

    def epochs(self) -> list[Epoch]:
        """All rows, by epoch."""
        return sorted(self._rows.values())

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
        self.path, self.file = path, path.open("ab", buffering=0)  # what cannot be written is not tried again later
        self.closed: set[int] = set()

    def emit(self, record: logging.LogRecord) -> None:
        row = {"log": record.name, **json.loads(record.getMessage())}
        if record.name == "train":
            if row["epoch"] in self.closed:  # see log_epoch
                return
            self.closed.add(row["epoch"])
        line = json.dumps(row)
        try:
            self.file.write(f"{line}\n".encode())
        except OSError as error:
            raise write_error(self.path, error) from error

    def close(self) -> None:
        self.file.close()
        super().close()


def keep_json(path: Path) -> None:
    """From now on fairseq's JSON lines go to ``path`` and not to the console."""
    logger = logging.getLogger(PROGRESS)
    logger.setLevel(logging.INFO)
    logger.handlers, logger.propagate = [JsonLines(path)], False


def log_epoch(epoch: int) -> None:
    """Log what fairseq logs of an epoch's training, which it does only once the epoch is saved: too late for the log
    that belongs to the save. What it logs within the next epoch begins anew, as where it resumes there."""
    stats = get_training_stats(metrics.get_smoothed_values("train"))
    JsonProgressBar([], epoch=epoch).print(stats, tag="train")
    metrics.reset_meters("train_inner")
