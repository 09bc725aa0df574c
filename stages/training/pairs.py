"""Which sentence pairs a system trains on."""

from collections.abc import Iterator
from contextlib import contextmanager

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

from fairseq.trainer import Trainer


@contextmanager
def training_pairs_within(max_length: int | None) -> Iterator[None]:
    """While it is open, fairseq leaves out training pairs with a side of more pieces; None leaves out none.

    fairseq's own --max-source-positions would leave out dev pairs too, so that the learning curves of systems with
    different limits would not compare, and it would bound what fairseq's Transformer can translate.
    """
    batches_of_epoch = Trainer.get_train_iterator

    def limited(trainer: Trainer, *arguments, **options):
        limit = max_length + 1  # eos counts
        trainer.task.max_positions = lambda: (limit, limit)
        try:
            return batches_of_epoch(trainer, *arguments, **options)
        finally:
            del trainer.task.max_positions  # the method is back

    if max_length is not None:
        Trainer.get_train_iterator = limited
    try:
        yield
    finally:
        Trainer.get_train_iterator = batches_of_epoch
