"""Weights of a gated recurrent unit, with the two matrix products exposed so that callers can hoist them."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from fairseq_plugins.kernels import gated_recurrence, linear


class GRU(nn.Module):
    """Reset-after GRU with one bias per gate: G(I, D) = 3 (I D + D^2 + D) parameters.

    ``W (3D, I)``, ``U (3D, D)`` and ``b (3D)`` hold the gates in the order r, z, n; z keeps the old state.
    """

    def __init__(self, input_width: int, state_width: int):
        super().__init__()
        self.width = state_width
        self.W = nn.Parameter(torch.empty(3 * state_width, input_width))
        self.U = nn.Parameter(torch.empty(3 * state_width, state_width))
        self.b = nn.Parameter(torch.empty(3 * state_width))

    def from_input(self, u: Tensor) -> Tensor:
        """W u + b for ``u (..., I)``: depends on nothing of the recurrence, so it can leave the loop."""
        return linear(u, self.W, self.b)

    def forward(self, from_input: Tensor, state: Tensor, candidate: Tensor | None = None) -> Tensor:
        """New state ``(..., D)`` from W u + b ``(..., 3D)`` and h ``(..., D)``.

        ``candidate (..., D)`` is added to the candidate state's pre-activation (fertility-conditioned decoder).
        """
        if candidate is not None:
            from_input = from_input + F.pad(candidate, (2 * self.width, 0))
        return gated_recurrence(from_input, linear(state, self.U), state)
