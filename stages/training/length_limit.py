"""Which sentence pairs a system trains on."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

from fairseq.trainer import Trainer

_WARNINGS = logging.getLogger("fairseq.tasks.fairseq_task")


@contextmanager
def training_pairs_within(max_length: int | None, name: str | None = None) -> Iterator[None]:
    """While it is open, fairseq leaves out training pairs with a side of more pieces; None leaves out none.

    fairseq's own --max-source-positions would leave out dev pairs too, so that the learning curves of systems with
    different limits would not compare, and it would bound what fairseq's Transformer can translate.

    name: of the training, to say in a line how many there are, which fairseq takes for a fault; None says nothing.
    """
    if max_length is None:
        yield
        return
    batches_of_epoch = Trainer.get_train_iterator
    limit = max_length + 1  # eos counts
    said: list[str] = []

    def limited(trainer: Trainer, *arguments, **options):
        trainer.task.max_positions = lambda: (limit, limit)
        _WARNINGS.addFilter(_is_no_fault)
        try:
            batches = batches_of_epoch(trainer, *arguments, **options)
        finally:
            del trainer.task.max_positions  # the method is back
            _WARNINGS.removeFilter(_is_no_fault)
        if name is not None and not said:
            said.append(name)
            _say(trainer.task.dataset("train"), max_length, name)
        return batches

    Trainer.get_train_iterator = limited
    try:
        yield
    finally:
        Trainer.get_train_iterator = batches_of_epoch


def left_out(source_sizes: ArrayLike, target_sizes: ArrayLike, max_length: int | None) -> np.ndarray:
    """Of each pair whether it is; sizes count eos, which the limit does not."""
    return np.maximum(source_sizes, target_sizes) > (np.inf if max_length is None else max_length + 1)


def _is_no_fault(record: logging.LogRecord) -> bool:
    return "have invalid sizes and will be skipped" not in record.getMessage()


def _say(dataset, max_length: int, name: str) -> None:
    without = int(left_out(dataset.src_sizes, dataset.tgt_sizes, max_length).sum())
    if without:
        many = f"{without:,} of {len(dataset):,} training pairs"
        print(f"{name}: without {many}, a side of which has more than {max_length} pieces", flush=True)
