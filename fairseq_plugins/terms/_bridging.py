"""What the bridges of Kuang et al. 2018 have in common: the source word that a target word attends to most."""

import torch
from torch import Tensor


def most_attended(embeddings: Tensor, weights: Tensor) -> Tensor:
    """E_x(x_{t*}) ``(B, T, E)``, t* = argmax_j alpha_ij, the first of several (Kuang et al. 2018, Eq. 2).

    The choice has no gradient, the embedding that was chosen has.

    Args:
        embeddings: E_x(x_j), ``(B, S, E)``.
        weights: alpha, ``(B, T, S)``, 0 at padding.
    """
    with torch.no_grad():
        chosen = weights.argmax(-1, keepdim=True).expand(-1, -1, embeddings.shape[-1])
    return embeddings.gather(1, chosen)
