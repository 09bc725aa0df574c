"""The attentional state of Luong et al. 2015, which takes the place of a readout."""

import torch
from torch import Tensor, nn

from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.readout import BaseReadout


class AttentionalState(nn.Module):
    """a~_i = tanh(W_c [c_i ; d_i]), no bias (Luong et al. 2015, Eq. 5). Shapes: W_c ``(H, C + H)``, a~ ``(H)``."""

    def __init__(self, context_width: int, hidden_dim: int):
        super().__init__()
        self.W_c = Linear(context_width + hidden_dim, hidden_dim, bias=False)

    def forward(self, context: Tensor, d: Tensor) -> Tensor:
        return torch.tanh(self.W_c(torch.cat((context, d), -1)))


class AttentionalReadout(BaseReadout):
    """The features in front of the output matrix are a~_i: made here, after the loop, or already by the recurrence.

    ``attentional``: what makes them of c_i and d_i; None when the recurrence does, and its readout state is a~_i.
    """

    def __init__(self, hidden_dim: int, attentional: AttentionalState | None):
        super().__init__()
        self.width = hidden_dim
        self.attentional = attentional

    def forward(self, states: Tensor, embeddings: Tensor, contexts: Tensor, reads: dict[str, Tensor]) -> Tensor:
        """a~_i, ``(B, T, H)``."""
        return states if self.attentional is None else self.attentional(contexts, states)
