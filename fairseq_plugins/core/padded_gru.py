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
    from_input = F.linear(embeddings, W.flatten(0, 1), b.flatten()).unflatten(-1, (len(suffixes), -1))
    states, last = kernels.padded_gru(from_input, U, b_U, mask.to(embeddings.dtype))
    return states.flatten(2), last
