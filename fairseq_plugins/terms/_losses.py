"""What the auxiliary losses of several terms have in common."""

import torch
from torch import Tensor

from fairseq_plugins.core.options import RefusedError
from fairseq_plugins.core.protocol import Target


def precise(x: Tensor) -> Tensor:
    """``x`` in at least fp32, in which losses are computed and summed."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def total(values: Tensor, counted: Tensor) -> Tensor:
    """The sum of ``values`` where ``counted`` (same shape, bool); what stands elsewhere does not matter."""
    return values.masked_fill(~counted, 0).sum()


def required_links(target: Target, reader: str) -> Tensor:
    """``target.links``, which the loss of ``reader`` cannot do without.

    Raises:
        RefusedError: there are none.
    """
    if target.links is None:
        raise RefusedError(
            f"{reader} learns from word alignments, and this text has none: binarize them with --align-suffix and "
            "train with --load-alignments"
        )
    return target.links
