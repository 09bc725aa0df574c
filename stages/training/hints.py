"""What a training's settings do that nobody is likely to want: said once, refused never."""

from collections.abc import Iterator
from math import ceil, log

from stages.settings.training import Training

LITTLE = 1e-3
"""The part of the learning rate below which a training learns next to nothing."""


def hints(settings: Training, updates: int) -> Iterator[str]:
    """A sentence for each. updates: of one epoch."""
    if settings.warmup_updates >= (total := updates * settings.max_epoch) > 0:
        yield (
            f"the learning rate never reaches lr: the training has {total:,} updates, and warmup_updates is "
            f"{settings.warmup_updates:,}"
        )
    first, factor = settings.first_annealed, settings.lr_shrink
    if first is None or factor is None or factor == 1:
        return
    epoch = first + ceil(log(LITTLE) / log(factor)) - 1
    if epoch < settings.max_epoch:
        yield (
            f"from epoch {epoch} on the learning rate is less than a thousandth of lr: from anneal_epoch {first} on "
            f"every epoch multiplies it by {factor:g}; where max_epoch is {settings.max_epoch}, set a later one"
        )
