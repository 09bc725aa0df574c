"""Luong's systems, and a mechanism of theirs by itself, for the tests."""

from functools import partial

import torch
from torch import Tensor, nn

from fairseq_plugins.core.protocol import Source
from fairseq_plugins.mechanisms.luong import Location, LuongAttention
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import random

close = partial(support.close, tolerance=1e-12)
E, H, A, V_x, V_y = 7, 6, 5, 15, 17  # as in support.TINY
S_MAX = 5  # the longest source of BATCH: every row of W_l is used
GLOBAL = [f"luong_global_{score}" for score in ("dot", "general", "concat", "location")]
LOCAL = ["luong_local_m", "luong_local_p"]
ARCHS = [*GLOBAL, *LOCAL]


def of(arch: str, **options: int | str | bool) -> VariantModel:
    """Location with S_MAX positions."""
    positions = {"location_positions": S_MAX} if arch == "luong_global_location" else {}
    return VariantModel(arch=arch, **positions, **options)


def mechanism(
    kind: type[LuongAttention], C: int = H, lengths: tuple[int, ...] = (9, 4, 1), **options: int | bool
) -> tuple[LuongAttention, Source, Tensor]:
    """A mechanism alone, a ragged source and queries ``(B, T, Q)`` for it."""
    if kind is Location:
        options["location_positions"] = max(lengths)
    made = kind(kind.Options(**options), H, C).double()
    with torch.random.fork_rng():
        torch.manual_seed(3)
        for parameter in made.parameters():
            nn.init.uniform_(parameter, -1, 1)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    h = random(*mask.shape, C) * mask.unsqueeze(-1)
    return made, Source(mask.long(), mask, h, h, ()), random(len(lengths), 12, H, seed=1)
