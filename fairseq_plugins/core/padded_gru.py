"""A GRU over right-padded sentences: what ``nn.GRU`` computes of packed ones, quicker on CPUs.

PyTorch's own loop over a packed batch leaves a node and a full-sized gradient for every word.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from fairseq_plugins import kernels


def padded_gru(rnn: nn.GRU, embeddings: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """What a one-layer ``rnn`` makes of right-padded sentences.

    Args:
        embeddings: ``(B, S, E)``; mask: True at real words, ``(B, S)``.

    Returns:
        States of all directions ``(B, S, D H)``, 0 at padding, and each direction's last one ``(D, B, H)``.
    """
    suffixes = ("", "_reverse")[: 2 if rnn.bidirectional else 1]
    W, U, b, b_U = (
        torch.stack([getattr(rnn, f"{name}_l0{suffix}") for suffix in suffixes])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    D, width = len(suffixes), rnn.hidden_size
    from_input = F.linear(embeddings, W.flatten(0, 1), b.flatten()).unflatten(-1, (D, 3 * width))
    real = mask.to(embeddings.dtype)[:, :, None, None].expand(-1, -1, D, 1)
    in_time = kernels.padded_gru(
        _turn(from_input).permute(1, 2, 0, 3).contiguous(), U, b_U, _turn(real).permute(1, 2, 0, 3)
    )
    hidden = _turn(in_time.permute(2, 0, 1, 3)) * real
    return hidden.flatten(2), in_time[-1]


def _turn(directions: Tensor) -> Tensor:
    """``(B, S, D, .)`` with the second direction's words in reverse, or back again."""
    if directions.shape[2] == 1:
        return directions
    return torch.stack((directions[:, :, 0], directions[:, :, 1].flip(1)), 2)
