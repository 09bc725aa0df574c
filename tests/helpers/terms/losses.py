"""What the losses of terms are given, made up: weights, mask and target side of a batch."""

import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Target, Trace, Widths
from tests.helpers.support import random_batch

WIDTHS = Widths(vocabulary=9, embedding=7, hidden=6, annotation=12, attention=5)
BATCH = random_batch([5, 2, 4, 1], [3, 6, 1, 4], seed=3)


def weights_and_target(links: Tensor | None = None, seed: int = 1) -> tuple[Tensor, Tensor, Target]:
    """Random weights ``(B, T, S)``, the source mask and the target side of BATCH; junk after a sentence's end."""
    source = torch.arange(BATCH.source.shape[1]) < BATCH.lengths.unsqueeze(1)
    random = torch.Generator().manual_seed(seed)
    energies = torch.randn(*BATCH.target.shape, source.shape[1], dtype=torch.float64, generator=random)
    weights = energies.masked_fill(~source.unsqueeze(1), -torch.inf).softmax(-1)
    return weights, source, Target(BATCH.target, BATCH.real, torch.zeros(1), links)


def trace(weights: Tensor) -> Trace:
    return Trace(weights, (), (), (), ())
