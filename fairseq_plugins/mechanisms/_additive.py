"""What the mechanisms that score additively have in common."""

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Attention
from fairseq_plugins.kernels import attention_weights, linear


class AdditiveMechanism(Attention):
    """e_j = v^T tanh(W_a q + U_a k_j + b_a) over keys k_j of the mechanism's own making (Bahdanau et al. 2015).

    Shapes: W_a ``(A, H)``, U_a ``(A, key_width)``, b_a and v ``(A)``.
    """

    def __init__(self, hidden_dim: int, key_width: int, attention_width: int):
        super().__init__()
        self.W_a = Linear(hidden_dim, attention_width, bias=False)
        self.U_a = Linear(key_width, attention_width, bias=False)
        self.b_a = nn.Parameter(torch.empty(attention_width))
        self.v = nn.Parameter(torch.empty(attention_width))

    def weights(self, q: Tensor, projected: Tensor, mask: Tensor) -> Tensor:
        """alpha ``(B, S)`` from the query ``(B, H)`` and U_a k_j ``(B, S, A)``."""
        # b_a stands with the query: one row a sentence, whereas the keys of most of these mechanisms change every step.
        return attention_weights(projected, linear(q, self.W_a.weight, self.b_a), self.v, mask)
